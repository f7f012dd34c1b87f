import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { placeEvents } from '../events/inbox.ts';
import { streamJson } from '../http/json-stream.ts';
import { rateLimited } from '../http/request-error.ts';
import type { Db } from '../storage/database.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows are written as they are
type Row = any;

interface Section {
  /** As many rows as fit into a few megabytes, however large they are. */
  readonly page: number;
  /** The rows after the last one of the page before, in the order of a key. */
  readonly query: (accountId: string, last: Row | undefined) => RawBuilder<Row>;
  /** Runs before the first page. */
  readonly prepare?: (db: Db, accountId: string) => Promise<void>;
  /** What is written of a row; all of it by default. */
  readonly show?: (row: Row) => unknown;
}

const SMALL = 500;
/** Of rows that may have a hundred kilobytes each, or more. */
const LARGE = 20;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Everything that is stored about an account, by the name it has in the export. */
export const SECTIONS: Readonly<Record<string, Section>> = {
  sessions: {
    page: SMALL,
    query: (account, last) => sql`
      select id, device_id, user_agent, created_at, used_at, expires_at, revoked_at from sessions
      where account_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  devices: {
    page: SMALL,
    query: (account, last) => sql`
      select id, account_id, name, identity_key, exchange_key, certificate, listed, pairing, welcomed_at, created_at,
        last_seen_at, revoked_at from devices
      where account_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  device_list: {
    page: SMALL,
    query: (account, last) => sql`
      select seq, statement from device_statements
      where account_id = ${account} and seq > ${last?.seq ?? 0} order by seq`,
    show: (row) => row.statement,
  },
  /** Those that the account signed. */
  group_statements: {
    page: LARGE,
    query: (account, last) => sql`
      select conversation_id, seq, statement from group_statements
      where statement -> 'by' ->> 'id' = ${account}
        and (conversation_id, seq) > (${last?.conversation_id ?? FIRST_ID}::uuid, ${last?.seq ?? 0}::integer)
      order by conversation_id, seq`,
    show: (row) => row.statement,
  },
  passkeys: {
    page: SMALL,
    query: (account, last) => sql`
      select credential_id, name, transports, created_at, used_at from passkeys
      where account_id = ${account} and credential_id > ${last?.credential_id ?? ''} order by credential_id`,
  },
  agents: {
    page: LARGE,
    query: (account, last) => sql`
      select id, name, description, visibility, status, connection_mode, created_at, updated_at, identity_key,
        capability_manifest, capability_manifest_version from agents
      where owner_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  relations: {
    page: LARGE,
    query: (account, last) => sql`
      select * from h2a_relations where account_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  ledger_entries: {
    page: LARGE,
    query: (account, last) => sql`
      select l.relation_id, l.seq, l.entry from ledger_entries l join h2a_relations r on r.id = l.relation_id
      where r.account_id = ${account}
        and (l.relation_id, l.seq) > (${last?.relation_id ?? FIRST_ID}::uuid, ${last?.seq ?? 0}::integer)
      order by l.relation_id, l.seq`,
    show: (row) => row.entry,
  },
  memberships: {
    page: SMALL,
    // The conversation of the account's own devices is one with nobody.
    query: (account, last) => sql`
      select m.conversation_id, c.kind, c.title, m.role, m.joined_seq, m.read_seq, m.left_at
      from members m join conversations c on c.id = m.conversation_id
      where m.member_kind = 'human' and m.member_id = ${account} and c.kind <> 'account'
        and m.conversation_id > ${last?.conversation_id ?? FIRST_ID} order by m.conversation_id`,
  },
  /** Those that the account sent, without their content: the server never had it. */
  messages: {
    page: SMALL,
    query: (account, last) => sql`
      select id, conversation_id, seq, client_message_id, sender_device_id, content_type, msg_subtype, created_at
      from messages
      where conversation_id in (
          select conversation_id from members where member_kind = 'human' and member_id = ${account})
        and sender_kind = 'human' and sender_id = ${account}
        and (conversation_id, seq) > (${last?.conversation_id ?? FIRST_ID}::uuid, ${last?.seq ?? 0}::bigint)
      order by conversation_id, seq`,
  },
  /** Its own, then those that the members of a conversation share, each by what an index has in order. */
  events: {
    page: LARGE,
    prepare: (db, account) => placeEvents(db, { kind: 'human', id: account }),
    query: (account, last) => sql`
      select * from (
        (select 1 as source, ${FIRST_ID}::uuid as place, position as number, type, payload, created_at from events
          where recipient_kind = 'human' and recipient_id = ${account}
            and position > ${last === undefined ? 0 : last.source === 1 ? last.number : Number.MAX_SAFE_INTEGER}
          order by position limit ${LARGE})
        union all
        (select 2, page.conversation_id, e.id, e.type, e.payload, e.created_at from (
            select m.conversation_id, shared.id from members m cross join lateral (
              select e.id from conversation_events e
              where e.conversation_id = m.conversation_id and e.id > greatest(m.joined_event,
                case when m.conversation_id = ${last?.place ?? FIRST_ID}::uuid then ${last?.number ?? 0}::bigint else 0 end)
              order by e.id limit ${LARGE}) as shared
            where m.member_kind = 'human' and m.member_id = ${account} and m.left_at is null
              and m.conversation_id >= ${last?.place ?? FIRST_ID}::uuid
            order by 1, 2 limit ${LARGE}) as page
          join conversation_events e on e.id = page.id)) as told
      order by source, place, number`,
    show: ({ type, payload, created_at }) => ({ type, payload, created_at }),
  },
  contact_codes: {
    page: SMALL,
    query: (account, last) => sql`
      select code, created_at from contact_codes where account_id = ${account} and code > ${last?.code ?? ''}
      order by code`,
  },
  contacts: {
    page: SMALL,
    query: (account, last) => sql`
      select contact_id, created_at from contacts
      where account_id = ${account} and contact_id > ${last?.contact_id ?? FIRST_ID} order by contact_id`,
  },
  /** Those that the account made. What became of them is not told (AC-4). */
  contact_requests: {
    page: SMALL,
    query: (account, last) => sql`
      select id, named_kind, named, created_at from contact_requests
      where asker_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  /** Those that it can see, or could. */
  received_requests: {
    page: SMALL,
    query: (account, last) => sql`
      select id, asker_id, created_at, declined_at from contact_requests
      where account_id = ${account} and heard and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  /** Those that the account made, without what became of them (AC-5), and those that it can see, or could. */
  group_invitations: {
    page: SMALL,
    query: (account, last) => sql`
      select id, conversation_id, inviter_id, account_id, created_at, withdrawn_at,
        case when account_id = ${account} then accepted_at end as accepted_at,
        case when account_id = ${account} then declined_at end as declined_at
      from group_invitations
      where (inviter_id = ${account} or (account_id = ${account} and heard)) and id > ${last?.id ?? FIRST_ID}
      order by id`,
  },
  /** What an operator changed. */
  budgets: {
    page: SMALL,
    query: (account, last) => sql`
      select budget, value from account_budgets where account_id = ${account} and budget > ${last?.budget ?? ''}
      order by budget`,
  },
  /** Whom the account has blocked; who has blocked it is not told (AC-6). */
  blocked: {
    page: SMALL,
    query: (account, last) => sql`
      select blocked_id, since, until from blocks
      where account_id = ${account}
        and (blocked_id, since) > (${last?.blocked_id ?? FIRST_ID}::uuid, ${last?.since ?? new Date(0)}::timestamptz)
      order by blocked_id, since`,
  },
  notices: {
    page: SMALL,
    query: (account, last) => sql`
      select id, kind, detail, created_at from account_notices
      where account_id = ${account} and id > ${last?.id ?? FIRST_ID} order by id`,
  },
  bundles: {
    page: LARGE,
    query: (account, last) => sql`
      select v.bundle_id, v.version, v.manifest, v.digest, v.yanked, v.created_at
      from bundle_versions v join bundles b on b.id = v.bundle_id
      where b.owner_id = ${account} and (v.bundle_id, v.version) > (${last?.bundle_id ?? ''}, ${last?.version ?? ''})
      order by v.bundle_id, v.version`,
  },
  skills: {
    page: LARGE,
    query: (account, last) => sql`
      select v.skill_id, v.version, v.descriptor, v.digest, v.yanked, v.created_at
      from skill_versions v join skills s on s.id = v.skill_id
      where s.owner_id = ${account} and (v.skill_id, v.version) > (${last?.skill_id ?? ''}, ${last?.version ?? ''})
      order by v.skill_id, v.version`,
  },
};

/**
 * Exports everything that is stored about an account: rows of the database without secrets (password, token and code
 * hashes). It is read in pages while it is sent, so memory does not grow with what there is (OP-6).
 */
export async function exportAccount(db: Db, accountId: string): Promise<Readable> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'display_name', 'role', 'status', 'account_key', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const lists = Object.entries(SECTIONS).map(([name, section]) => [name, readSection(db, accountId, section)]);
  return streamJson({ account, ...Object.fromEntries(lists) });
}

async function* readSection(
  db: Db,
  accountId: string,
  { page, prepare, query, show }: Section,
): AsyncGenerator<unknown> {
  await prepare?.(db, accountId);
  let last: Row | undefined;
  for (;;) {
    const began = performance.now();
    const { rows } = await sql<Row>`${query(accountId, last)} limit ${page}`.execute(db);
    for (const row of rows) yield show === undefined ? row : show(row);
    if (rows.length < page) return;
    last = rows.at(-1);
    // Nobody is in a hurry for it: others get at least as much of the processor as it does.
    await sleep(Math.min(performance.now() - began, MAX_PAUSE_MS));
  }
}

const MAX_PAUSE_MS = 200;
/** How long whoever asks for a second one is told to wait; nobody knows how long the first one takes. */
const BUSY_SECONDS = 10;

/** Makes exports, one at a time for an account: each reads all that it has. */
export function createExports(db: Db): (accountId: string) => Promise<Readable> {
  const running = new Set<string>();
  return async (accountId) => {
    if (running.has(accountId)) throw rateLimited(BUSY_SECONDS, 'exports');
    running.add(accountId);
    const end = () => running.delete(accountId);
    try {
      return (await exportAccount(db, accountId)).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  };
}
