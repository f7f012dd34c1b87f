import { hash, randomBytes } from 'node:crypto';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';

export const PREFIX = 'hsk_';
const LENGTH = 40;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^hsk_[0-9A-Za-z]{40}$/;
/** The largest multiple of 62 in a byte: a byte beyond it would make the first letters likelier than the last. */
const FAIR = 248;

export interface NewToken {
  /** Shown once, never stored. */
  readonly token: string;
  readonly tokenHash: string;
}

/** Makes a token of 40 characters out of 62, which is 238 bits (RL-1). */
export function createToken(): NewToken {
  let token = PREFIX;
  while (token.length < PREFIX.length + LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      if (byte < FAIR && token.length < PREFIX.length + LENGTH) token += BASE62[byte % BASE62.length];
    }
  }
  return { token, tokenHash: hashToken(token) };
}

function hashToken(token: string): string {
  return hash('sha256', token);
}

/**
 * Returns whose token it is; undefined if it is wrong, expired or revoked, or its agent or owner was banned or deleted.
 * The token of a suspended agent is right, so it gets AGENT_SUSPENDED, which says what to do.
 */
export async function findAgentByToken(
  db: Db | Trx,
  token: string,
  now: Date,
): Promise<{ agentId: string; ownerId: string; tokenId: string } | undefined> {
  if (!SHAPE.test(token)) return undefined;
  const row = await selectLive(db, now).where('token.token_hash', '=', hashToken(token)).executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.status === 'suspended') throw new RequestError('AGENT_SUSPENDED');
  return { agentId: row.agent_id, ownerId: row.owner_id, tokenId: row.id };
}

/** Checks for a request that was held open whether its token still counts. */
export async function requireLiveToken(db: Db, tokenId: string, now: Date): Promise<void> {
  const row = await selectLive(db, now).where('token.id', '=', tokenId).executeTakeFirst();
  if (row === undefined) throw new RequestError('UNAUTHENTICATED');
  if (row.status === 'suspended') throw new RequestError('AGENT_SUSPENDED');
}

function selectLive(db: Db | Trx, now: Date) {
  return db
    .selectFrom('agent_tokens as token')
    .innerJoin('agents as agent', 'agent.id', 'token.agent_id')
    .innerJoin('accounts as account', 'account.id', 'agent.owner_id')
    .select(['token.id', 'token.agent_id', 'agent.owner_id', 'agent.status'])
    .where('token.revoked_at', 'is', null)
    .where((where) => where.or([where('token.expires_at', 'is', null), where('token.expires_at', '>', now)]))
    .where('agent.status', 'in', ['active', 'suspended'])
    .where('account.status', '=', 'active');
}
