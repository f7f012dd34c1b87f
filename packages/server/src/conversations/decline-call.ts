import type { ServerFrame } from '@parley/protocol';
import { type RawBuilder, sql } from 'kysely';
import { keyOf } from '../events/bus.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import type { DeviceCallRequest } from './call-request.ts';

/** Nobody waits any longer for the answer to a call that was passed before this time. */
const RECENT_MS = 10 * 60_000;

/**
 * Serialises passes and disconnects of an account: if the last two devices passed at once, each would count on the
 * other.
 */
async function lockAccounts(trx: Trx, accountIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.callPasses}, key)
    from (select distinct hashtext(id) as key from unnest(${accountIds}::text[]) as id order by 1) as keys`.execute(
    trx,
  );
}

/** Is there a connected device that got this message and may still run it: listed, and registered when it was sent? */
const isAwaited = (message: RawBuilder<unknown>, account: RawBuilder<unknown>) => sql`exists (
  select 1 from connected_devices c join devices d on d.id = c.device_id
  where c.account_id = ${account} and d.revoked_at is null and d.listed
    and d.created_at <= ${message}.received_at
    and not exists (select 1 from passes q where q.message_id = ${message}.id and q.device_id = c.device_id))`;

interface PassRow {
  /** The position of the answered request in the batch, from 1. */
  readonly ordinal: number;
  readonly message_id: string;
  readonly msg_subtype: string;
  readonly claimed_by: string | null;
  readonly awaited: boolean;
}

/**
 * Stores the passes of a batch (CG-11). Of one account's devices in a batch, only the last can be the account's last
 * one.
 */
export async function commitPasses(
  platform: Platform,
  batch: readonly DeviceCallRequest[],
): Promise<(boolean | RequestError)[]> {
  const wanted = sql`unnest(${batch.map((ask) => ask.messageId)}::uuid[],
    ${batch.map((ask) => ask.conversationId ?? null)}::uuid[], ${batch.map((ask) => ask.accountId)}::uuid[],
    ${batch.map((ask) => ask.deviceId)}::uuid[])
    with ordinality as w (message_id, conversation_id, account_id, device_id, ordinal)
    join messages x on x.id = w.message_id and x.conversation_id = coalesce(w.conversation_id, x.conversation_id)
    join members m on m.conversation_id = x.conversation_id and m.member_kind = 'human'
      and m.member_id = w.account_id and m.left_at is null and x.seq > m.joined_seq
    left join claims k on k.message_id = x.id`;
  const rows = await platform.db.transaction().execute(async (trx) => {
    await lockAccounts(
      trx,
      batch.map(({ accountId }) => accountId),
    );
    await sql`insert into passes (message_id, device_id, account_id, created_at)
      select x.id, w.device_id, w.account_id, ${platform.now()}::timestamptz from ${wanted}
      where k.device_id is null and x.msg_subtype = 'artifact_tool_call'
      on conflict do nothing`.execute(trx);
    const found = await sql<PassRow>`select w.ordinal::int, w.message_id, x.msg_subtype, k.device_id as claimed_by,
        ${isAwaited(sql`x`, sql`w.account_id`)} as awaited
      from ${wanted} order by w.ordinal`.execute(trx);
    return found.rows;
  });
  const answers: (boolean | RequestError | undefined)[] = batch.map(() => undefined);
  const lastOf = new Map(
    rows.map(({ message_id, ordinal }) => [`${message_id} ${batch[ordinal - 1]!.accountId}`, ordinal]),
  );
  for (const row of rows) {
    const isLast = lastOf.get(`${row.message_id} ${batch[row.ordinal - 1]!.accountId}`) === row.ordinal;
    answers[row.ordinal - 1] = refuse(row) ?? (isLast && !row.awaited);
  }
  return answers.map((answer) => answer ?? new RequestError('NOT_FOUND'));
}

function refuse({ msg_subtype, claimed_by: device_id }: PassRow): RequestError | undefined {
  if (msg_subtype !== 'artifact_tool_call') return new RequestError('NOT_A_TOOL_CALL');
  return device_id === null
    ? undefined
    : new RequestError('ALREADY_CLAIMED', { device_id }, { details: { device_id } });
}

interface LastRow {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly device_id: string;
  readonly account_id: string;
}

/**
 * Called after devices of these accounts disconnected. Where all remaining devices have passed a call, tells one of
 * them to answer it.
 */
export async function notifyLastDevice(platform: Platform, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const since = new Date(platform.now().getTime() - RECENT_MS);
  const rows = await platform.db.transaction().execute(async (trx) => {
    await lockAccounts(trx, accountIds);
    const found = await sql<LastRow>`
      select distinct on (x.id, p.account_id) x.id as message_id, x.conversation_id, p.device_id, p.account_id
      from passes p
      join messages x on x.id = p.message_id
      join connected_devices here on here.device_id = p.device_id
      where p.account_id = any(${accountIds}::uuid[]) and p.created_at > ${since}
        and not exists (select 1 from claims k where k.message_id = x.id)
        and not ${isAwaited(sql`x`, sql`p.account_id`)}
      order by x.id, p.account_id, p.created_at desc`.execute(trx);
    return found.rows;
  });
  for (const { device_id, account_id, message_id, conversation_id } of rows) {
    const frame = { type: 'pass.last', message_id, conversation_id } satisfies ServerFrame;
    platform.bus.publish([keyOf.device(device_id)], JSON.stringify(frame), account_id);
  }
}
