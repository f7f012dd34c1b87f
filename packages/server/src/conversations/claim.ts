import { sql } from 'kysely';
import { keyOf } from '../events/bus.ts';
import type { Human } from '../http/caller.ts';
import { Failure } from '../http/failure.ts';
import type { Platform } from '../platform.ts';

/** CG-11: given to one device, and again to that device only. The account's other sockets are told at once. */
export async function claimMessage(platform: Platform, caller: Human, messageId: string): Promise<string> {
  const { rows } = await sql<{ conversation_id: string }>`
    select x.conversation_id from messages x
    join members m on m.conversation_id = x.conversation_id and m.member_kind = 'human'
      and m.member_id = ${caller.accountId} and m.left_at is null and x.seq > m.joined_seq
    where x.id = ${messageId}`.execute(platform.db);
  if (rows[0] === undefined) throw new Failure('NOT_FOUND');
  if (caller.deviceId === undefined) throw new Failure('IDENTITY_MISSING');
  // The update changes nothing; it makes the statement wait for whoever is first, and return them.
  const claim = await sql<{ device_id: string; given: boolean }>`
    insert into claims (message_id, device_id, created_at)
    values (${messageId}, ${caller.deviceId}, ${platform.now()})
    on conflict (message_id) do update set device_id = claims.device_id
    returning device_id, xmax = 0 as given`.execute(platform.db);
  const { device_id, given } = claim.rows[0]!;
  if (device_id !== caller.deviceId) {
    throw new Failure('ALREADY_CLAIMED', { device_id }, { details: { device_id } });
  }
  if (given) {
    const frame = {
      type: 'message.claimed',
      conversation_id: rows[0].conversation_id,
      message_id: messageId,
      device_id,
    };
    platform.bus.publish([keyOf.human(caller.accountId)], JSON.stringify(frame));
  }
  return device_id;
}
