import type { Batcher } from '@parley/base';
import type { ServerFrame } from '@parley/protocol';
import { sql } from 'kysely';
import { keyOf } from '../events/bus.ts';
import type { Human } from '../http/caller.ts';
import { createRequestBatcher } from '../http/request-batcher.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { CallRequest, DeviceCallRequest } from './call-request.ts';
import { commitPasses } from './decline-call.ts';
import type { SharedReads } from './shared-reads.ts';

/** Decides which device of a person runs or answers a tool call (CG-11). There is one for each server. */
export interface Claims {
  /** Gives the call to the first device that asks. Returns the id of the device that has it. */
  claim(caller: Human, wanted: CallRequest): Promise<string>;
  /** Notes that this device cannot run the call. Returns true if no other connected device of the account is left. */
  pass(caller: Human, wanted: CallRequest): Promise<boolean>;
}

const BATCH = 500;

export function createClaims(platform: Platform, reads: SharedReads, node: string): Claims {
  const claims = createRequestBatcher(
    (batch: readonly DeviceCallRequest[]) => commitClaims(platform, node, batch),
    BATCH,
  );
  const passes = createRequestBatcher((batch: readonly DeviceCallRequest[]) => commitPasses(platform, batch), BATCH);
  const ask = <Answer>(batcher: Batcher<DeviceCallRequest, Answer>, caller: Human, wanted: CallRequest) => {
    const { accountId, deviceId } = caller;
    if (deviceId === undefined) {
      const look = () => requireVisible(platform, caller, wanted);
      return reads.run(accountId, `visible ${accountId} ${wanted.messageId}`, look);
    }
    return batcher.add({ ...wanted, accountId, deviceId });
  };
  return {
    claim: (caller, wanted) => ask(claims, caller, wanted),
    pass: (caller, wanted) => ask(passes, caller, wanted),
  };
}

/** A session without a device cannot claim; a message that the caller may not see is NOT_FOUND. */
async function requireVisible({ db }: Platform, { accountId }: Human, { messageId }: CallRequest): Promise<never> {
  const { rows } = await sql`select 1 from messages x
    join members m on m.conversation_id = x.conversation_id and m.member_kind = 'human'
      and m.member_id = ${accountId} and m.left_at is null and x.seq > m.joined_seq
    where x.id = ${messageId}`.execute(db);
  throw new RequestError(rows.length === 0 ? 'NOT_FOUND' : 'IDENTITY_MISSING');
}

interface ClaimRow {
  /** The position of the answered request in the batch, from 1. */
  readonly ordinal: number;
  readonly conversation_id: string;
  readonly device_id: string;
  readonly given: boolean;
  /** True if the account has a socket besides those of this device on this node. */
  readonly watched: boolean;
}

/** Handles all requests in one statement, and tells the account's other sockets at once. */
async function commitClaims(
  platform: Platform,
  node: string,
  batch: readonly DeviceCallRequest[],
): Promise<(string | RequestError)[]> {
  // The update changes nothing; it makes the statement wait for the first claim, and return it. Rows are in the order
  // of their ids, so that two nodes do not deadlock.
  const { rows } = await sql<ClaimRow>`
    with wanted as (
        select * from unnest(${batch.map((ask) => ask.messageId)}::uuid[],
          ${batch.map((ask) => ask.conversationId ?? null)}::uuid[], ${batch.map((ask) => ask.accountId)}::uuid[],
          ${batch.map((ask) => ask.deviceId)}::uuid[])
          with ordinality as w (message_id, conversation_id, account_id, device_id, ordinal)),
      visible as (
        select w.ordinal, w.message_id, w.account_id, w.device_id, x.conversation_id from wanted w
        join messages x on x.id = w.message_id
          and x.conversation_id = coalesce(w.conversation_id, x.conversation_id)
        join members m on m.conversation_id = x.conversation_id and m.member_kind = 'human'
          and m.member_id = w.account_id and m.left_at is null and x.seq > m.joined_seq),
      held as (
        insert into claims (message_id, device_id, created_at)
        select distinct on (message_id) message_id, device_id, ${platform.now()}::timestamptz
        from visible order by message_id, ordinal
        on conflict (message_id) do update set device_id = claims.device_id
        returning message_id, device_id, xmax = 0 as given)
    select v.ordinal::int, v.conversation_id, h.device_id, h.given, exists (
        select 1 from connected_devices c where c.account_id = v.account_id
          and (c.device_id <> v.device_id or c.node_id <> ${node})) as watched
    from visible v join held h using (message_id)`.execute(platform.db);
  const holders: (string | undefined)[] = batch.map(() => undefined);
  for (const { ordinal, conversation_id, device_id, given, watched } of rows) {
    const { messageId, accountId, deviceId } = batch[ordinal - 1]!;
    holders[ordinal - 1] = device_id;
    if (!given || device_id !== deviceId) continue;
    const frame = { type: 'message.claimed', conversation_id, message_id: messageId, device_id } satisfies ServerFrame;
    const { bus } = platform;
    const [keys, text] = [[keyOf.human(accountId)], JSON.stringify(frame)];
    if (watched) bus.publish(keys, text, accountId);
    else bus.publishHere(keys, text);
  }
  return holders.map((holder) => holder ?? new RequestError('NOT_FOUND'));
}
