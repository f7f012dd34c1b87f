import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { hashSecret } from '../auth/secret.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import { hasOperator } from './registration.ts';

const LIFE_MS = 10 * 365 * 24 * 60 * 60_000;

/**
 * The link with which the first operator registers, as long as there is none (AC-8). Its code is derived from the id of
 * its row, so that every start and every node shows the same one, while only a hash is stored.
 */
export async function findOperatorLink(platform: Platform): Promise<string | undefined> {
  const { db, config } = platform;
  if (await hasOperator(db)) {
    removeOperatorLink(platform);
    return undefined;
  }
  const now = platform.now();
  // An earlier operator has used it and left; whoever has kept it shall not be the next one.
  await db
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('role', '=', 'admin')
    .where('revoked_at', 'is', null)
    .whereRef('used', '>=', 'uses')
    .execute();
  const fresh = createId(now);
  await db
    .insertInto('invitations')
    .values({
      id: fresh,
      code_hash: hashSecret(codeOf(config.tokenSecret, fresh)),
      role: 'admin',
      created_by: null,
      uses: 1,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE_MS),
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id } = await db
    .selectFrom('invitations')
    .select('id')
    .where('role', '=', 'admin')
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  const code = codeOf(config.tokenSecret, id);
  // The secret may be another than when the row was made.
  await db
    .updateTable('invitations')
    .set({ code_hash: hashSecret(code) })
    .where('id', '=', id)
    .execute();
  const link = invitationLink(platform, code);
  if (config.operatorLinkFile !== undefined) {
    rmSync(config.operatorLinkFile, { force: true });
    writeFileSync(config.operatorLinkFile, `${link}\n`, { mode: 0o600, flag: 'wx' });
  }
  return link;
}

export function removeOperatorLink({ config }: Platform): void {
  if (config.operatorLinkFile !== undefined) rmSync(config.operatorLinkFile, { force: true });
}

/** The code is behind the #, which browsers send to nobody: it would be in the log of every proxy. */
export function invitationLink({ config }: Platform, code: string): string {
  return new URL(`/sign-up#${code}`, config.publicUrl).href;
}

function codeOf(secret: Uint8Array, id: string): string {
  return createHmac('sha256', secret).update(`parley-operator-link-v1\n${id}`).digest('base64url');
}
