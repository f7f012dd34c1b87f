import { hash } from 'node:crypto';
import { canonicalise, type Json } from '@parley/documents';
import type { Db, Trx } from '../storage/database.ts';
import { type Caller, callerKey } from './caller.ts';
import { RequestError } from './request-error.ts';

const HEADER = 'idempotency-key';
const KEY = /^[\x21-\x7e]{1,255}$/;
const KEPT_MS = 24 * 60 * 60 * 1000;

/** One `Idempotency-Key` of one caller, and the request it was sent with. */
export interface IdempotencyKey {
  readonly caller: string;
  readonly key: string;
  readonly requestHash: string;
}

interface Keyed {
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** `request` is everything that makes two requests equal: route, parameters, body, preconditions. */
export function readIdempotencyKey({ caller, headers }: Keyed, request: Json): IdempotencyKey | undefined {
  const key = headers[HEADER];
  if (key === undefined || caller.kind === 'anonymous') return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new RequestError('BAD_REQUEST', {}, { details: { violations: [{ in: 'headers', path: `/${HEADER}` }] } });
  }
  return { caller: callerKey(caller), key, requestHash: hash('sha256', canonicalise(request)) };
}

/**
 * Runs the effect once per key and gives every repetition the first reply. Call it in the transaction of the effect, so
 * that key and effect are kept or lost together: a failure is not remembered, because nothing was done. A repetition
 * during the first request waits in the insert until that has ended.
 */
export async function answerOnce<Reply>(
  trx: Trx,
  { idempotencyKey, now }: { idempotencyKey: IdempotencyKey | undefined; now: Date },
  effect: () => Promise<Reply>,
): Promise<Reply> {
  if (idempotencyKey === undefined) return effect();
  const { caller, key, requestHash } = idempotencyKey;
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency_keys')
    .values({ caller, key, request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.columns(['caller', 'key']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return repeat(trx, idempotencyKey);
  const reply = await effect();
  await trx
    .updateTable('idempotency_keys')
    .set({ reply: JSON.stringify(reply) })
    .where('caller', '=', caller)
    .where('key', '=', key)
    .execute();
  return reply;
}

async function repeat<Reply>(trx: Trx, key: IdempotencyKey): Promise<Reply> {
  const reply = await findReply<Reply>(trx, key);
  // The row was pruned between the two statements: the next attempt is the first again.
  if (reply === undefined) throw new RequestError('UNAVAILABLE');
  return reply;
}

/** Finds the reply to an earlier request with this key, for effects that are expensive to prepare. */
export async function findReply<Reply>(
  db: Db | Trx,
  idempotencyKey: IdempotencyKey | undefined,
): Promise<Reply | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const { caller, key, requestHash } = idempotencyKey;
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .executeTakeFirst();
  if (row === undefined || row.reply === null) return undefined;
  if (row.request_hash !== requestHash) throw new RequestError('IDEMPOTENCY_CONFLICT');
  return JSON.parse(row.reply) as Reply;
}

export async function pruneIdempotencyKeys(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
}
