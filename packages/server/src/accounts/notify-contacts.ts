import type { EventPayload } from '@parley/protocol';
import { sql } from 'kysely';
import type { Recipient } from '../events/events.ts';
import { queueForWebhooks } from '../events/webhook-outbox.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';

const TYPE = 'account.devices_changed';

/**
 * Tells everyone who seals for the account, its own devices too, to read its devices again (EE-18). Returns a function
 * that wakes them once the transaction has committed.
 */
export async function notifyContacts(platform: Platform, trx: Trx, accountId: string): Promise<() => void> {
  const payload: EventPayload<typeof TYPE> = { account_id: accountId };
  const { rows } = await sql<Recipient>`
    insert into events (recipient_kind, recipient_id, type, payload, account_id)
    select kind, id, ${TYPE}, ${JSON.stringify(payload)}::jsonb, ${accountId}::uuid from (
      select theirs.member_kind as kind, theirs.member_id as id
      from members mine join members theirs on theirs.conversation_id = mine.conversation_id
      where mine.member_kind = 'human' and mine.member_id = ${accountId} and mine.left_at is null
        and theirs.left_at is null
      union select 'human', ${accountId}::uuid) as contacts
    returning recipient_kind as kind, recipient_id as id`.execute(trx);
  const agents = rows.filter(({ kind }) => kind === 'agent').map(({ id }) => id);
  await queueForWebhooks(trx, platform, agents, TYPE, payload);
  return () => platform.events.wake(rows);
}

type Change = EventPayload<'device.changed'>['change'];

/** Tells the account's own devices: one of them lets the new one in, or its owner notices that it is not theirs. */
export async function notifyDevices(
  platform: Platform,
  trx: Trx,
  { accountId, ids, change }: { accountId: string; ids: readonly string[]; change: Change },
): Promise<() => void> {
  const account: Recipient[] = [{ kind: 'human', id: accountId }];
  for (const device_id of ids) {
    const payload: EventPayload<'device.changed'> = { device_id, change };
    await platform.events.store(trx, account, 'device.changed', payload, accountId);
  }
  return () => platform.events.wake(account);
}
