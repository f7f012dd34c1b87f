import { isId } from '@parley/base';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { createToken } from '../auth/agent-token.ts';
import { requireLiveSession } from '../auth/live-session.ts';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { keyOf } from '../events/bus.ts';
import type { Human } from '../http/caller.ts';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import { insertToken, lockAgent } from './store.ts';

type Rotation = ReplyOf<typeof agentRoutes.rotateToken>;
type Tokens = ReplyOf<typeof agentRoutes.listTokens>;

interface RotationOptions {
  readonly overlapSeconds: number;
  /** Whose session it is made with; undefined for an agent of the server's own. */
  readonly caller?: Human;
}

/** Makes a new token. The others expire when the overlap has passed, or earlier if they would anyway. */
export async function rotateToken(
  platform: Platform,
  { agentId, ownerId }: { readonly agentId: string; readonly ownerId: string },
  { overlapSeconds, caller }: RotationOptions,
): Promise<Rotation> {
  const now = platform.now();
  const end = new Date(now.getTime() + overlapSeconds * 1_000);
  const tokenId = createId(now);
  const { token, tokenHash } = createToken();
  await platform.budgets.reserveBytes(ownerId, ROW_BYTES.token);
  await platform.db.transaction().execute(async (trx) => {
    if (caller !== undefined) await requireLiveSession(trx, caller, now);
    await lockAgent(trx, agentId);
    await trx
      .updateTable('agent_tokens')
      .set({ expires_at: end })
      .where('agent_id', '=', agentId)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', end)]))
      .execute();
    await insertToken(trx, { tokenId, agentId, tokenHash, now });
  });
  wakeSockets(platform, agentId);
  platform.agentEvents.record(agentId, { type: 'token.rotated', token_id: tokenId, overlap_seconds: overlapSeconds });
  return { token_id: tokenId, token, created_at: now.toISOString() };
}

const PAGE = 100;

export async function listTokens(platform: Platform, agentId: string, cursor: string | undefined): Promise<Tokens> {
  const rows = await platform.db
    .selectFrom('agent_tokens')
    .select(['id', 'created_at', 'expires_at'])
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', platform.now())]))
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor!))
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const page = takePage(rows, PAGE);
  return {
    tokens: page.rows.map(({ id, created_at, expires_at }) => ({
      token_id: id,
      created_at: created_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
    })),
    next_cursor: page.last?.id ?? null,
  };
}

export async function revokeToken(platform: Platform, agentId: string, tokenId: string): Promise<void> {
  if (!isId(tokenId)) throw new RequestError('NOT_FOUND');
  const { numUpdatedRows } = await platform.db
    .updateTable('agent_tokens')
    .set({ revoked_at: platform.now() })
    .where('id', '=', tokenId)
    .where('agent_id', '=', agentId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RequestError('NOT_FOUND');
  wakeSockets(platform, agentId);
  platform.agentEvents.record(agentId, { type: 'token.revoked', token_id: tokenId });
}

/** Deletes those that ended before. */
export async function pruneTokens(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('agent_tokens')
    .where((where) => where.or([where('expires_at', '<', before), where('revoked_at', '<', before)]))
    .execute();
}

/** Sockets that are woken check again whether their token still counts. */
export function wakeSockets(platform: Platform, agentId: string): void {
  platform.bus.wake([keyOf.agent(agentId)]);
}
