import { sql } from 'kysely';
import { listDeviceStatements } from '../keys/device-list.ts';
import type { Db } from '../storage/database.ts';
import { listDeviceRows } from './device-store.ts';

const MAX_MESSAGES = 10_000;

/**
 * Exports everything that is stored about an account: rows of the database without secrets (password, token and code
 * hashes). Message content is not included: the server never had it.
 */
export async function exportAccount(db: Db, accountId: string) {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'display_name', 'role', 'status', 'account_key', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const [sessions, devices, passkeys, agents, relations, memberships, messages, events, ledger, list, groups] =
    await Promise.all([
      db
        .selectFrom('sessions')
        .select(['id', 'device_id', 'user_agent', 'created_at', 'used_at', 'expires_at', 'revoked_at'])
        .where('account_id', '=', accountId)
        .execute(),
      listDeviceRows(db, accountId),
      db
        .selectFrom('passkeys')
        .select(['credential_id', 'name', 'transports', 'created_at', 'used_at'])
        .where('account_id', '=', accountId)
        .execute(),
      db
        .selectFrom('agents')
        .select(['id', 'name', 'description', 'visibility', 'status', 'connection_mode', 'created_at', 'updated_at'])
        .select(['identity_key', 'capability_manifest', 'capability_manifest_version'])
        .where('owner_id', '=', accountId)
        .execute(),
      db.selectFrom('h2a_relations').selectAll().where('account_id', '=', accountId).execute(),
      db
        .selectFrom('members')
        .innerJoin('conversations', 'conversations.id', 'members.conversation_id')
        .select(['conversation_id', 'kind', 'title', 'role', 'joined_seq', 'read_seq', 'left_at'])
        .where('member_kind', '=', 'human')
        .where('member_id', '=', accountId)
        // The one of the account's own devices is no conversation with anyone.
        .where('kind', '<>', 'account')
        .execute(),
      db
        .selectFrom('messages')
        .select([
          'id',
          'conversation_id',
          'seq',
          'client_message_id',
          'sender_device_id',
          'content_type',
          'msg_subtype',
        ])
        .select('created_at')
        // The index of messages begins with the conversation.
        .where('conversation_id', 'in', (query) =>
          query
            .selectFrom('members')
            .select('conversation_id')
            .where('member_kind', '=', 'human')
            .where('member_id', '=', accountId),
        )
        .where('sender_kind', '=', 'human')
        .where('sender_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .limit(MAX_MESSAGES)
        .execute(),
      db
        .selectFrom('events')
        .select(['type', 'payload', 'created_at'])
        .where('recipient_kind', '=', 'human')
        .where('recipient_id', '=', accountId)
        .execute(),
      db
        .selectFrom('ledger_entries as l')
        .innerJoin('h2a_relations as r', 'r.id', 'l.relation_id')
        .select('l.entry')
        .where('r.account_id', '=', accountId)
        .orderBy('l.relation_id')
        .orderBy('l.seq')
        .execute(),
      listDeviceStatements(db, accountId),
      db
        .selectFrom('group_statements')
        .select('statement')
        .where(sql`statement -> 'by' ->> 'id'`, '=', accountId)
        .orderBy('conversation_id')
        .orderBy('seq')
        .execute(),
    ]);
  return {
    account,
    sessions,
    devices,
    device_list: list,
    /** Those that the account signed. */
    group_statements: groups.map(({ statement }) => statement),
    passkeys,
    agents,
    relations,
    ledger_entries: ledger.map(({ entry }) => entry),
    memberships,
    /** The newest messages that the account sent. */
    messages,
    events,
  };
}
