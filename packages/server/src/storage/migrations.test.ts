import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createDatabase } from '../../tests/harness/server.ts';
import { createId } from '../id.ts';
import { openStorage } from './database.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

it('EE-18 devices that had a certificate are listed after the migration, revoked ones included; others are not', async () => {
  const database = await createDatabase();
  const storage = openStorage(database.url);
  const { db } = storage;
  try {
    // The schema as the version before device lists left it.
    await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      db,
    );
    for (const [name, text] of Object.entries(MIGRATIONS)) {
      if (name === '0015_signed_chains') break;
      await sql.raw(text).execute(db);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    const account = createId();
    await sql`insert into accounts (id, email, display_name, account_key)
      values (${account}, 'ada@example.org', 'Ada', 'key')`.execute(db);
    const [certified, gone, waiting] = [createId(), createId(), createId()];
    await sql`insert into devices (id, account_id, name, identity_key, exchange_key, certificate, revoked_at) values
      (${certified}, ${account}, 'laptop', 'a', 'a', '{}', null),
      (${gone}, ${account}, 'phone', 'b', 'b', '{}', now()),
      (${waiting}, ${account}, 'tablet', 'c', 'c', null, null)`.execute(db);
    expect((await migrate(storage.url))[0]).toBe('0015_signed_chains');
    const rows = await db.selectFrom('devices').select(['id', 'listed', 'pairing', 'welcome']).execute();
    const expected = [certified, gone, waiting].map((id) => ({
      id,
      listed: id !== waiting,
      pairing: null,
      welcome: null,
    }));
    expect(rows.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    const { account_key } = await db.selectFrom('accounts').select('account_key').executeTakeFirstOrThrow();
    expect(account_key).toBe('key');
    expect(await migrate(storage.url)).toEqual([]);
  } finally {
    await storage.close();
    await database.drop();
  }
});

it('EE-23 accounts of before have a conversation of their own devices after the migration, deleted ones have none', async () => {
  const database = await createDatabase();
  const storage = openStorage(database.url);
  const { db } = storage;
  try {
    await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      db,
    );
    for (const [name, text] of Object.entries(MIGRATIONS)) {
      if (name === '0016_account_conversations') break;
      await sql.raw(text).execute(db);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    const [ada, deleted, robbed, thief] = [createId(), createId(), createId(), createId()];
    for (const [id, status] of [
      [ada, 'active'],
      [deleted, 'deleted'],
      [robbed, 'active'],
    ]) {
      await sql`insert into accounts (id, email, display_name, status)
        values (${id}, ${`${id}@example.org`}, '', ${status})`.execute(db);
    }
    // Someone has chosen the id of an account for a conversation of their own.
    await sql`insert into conversations (id, kind) values (${robbed}, 'h2h')`.execute(db);
    await sql`insert into members (conversation_id, member_kind, member_id)
      values (${robbed}, 'human', ${thief})`.execute(db);
    expect((await migrate(storage.url))[0]).toBe('0016_account_conversations');
    const rows = await db
      .selectFrom('conversations')
      .innerJoin('members', 'conversation_id', 'id')
      .select(['id', 'kind', 'member_kind', 'member_id'])
      .where('id', 'in', [ada, deleted, robbed])
      .orderBy('kind')
      .execute();
    expect(rows).toEqual([
      { id: ada, kind: 'account', member_kind: 'human', member_id: ada },
      { id: robbed, kind: 'h2h', member_kind: 'human', member_id: thief },
    ]);
  } finally {
    await storage.close();
    await database.drop();
  }
});

it('AC-4 who had a conversation together are contacts after the migration; those of very large groups are not', async () => {
  const database = await createDatabase();
  const storage = openStorage(database.url);
  const { db } = storage;
  try {
    await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      db,
    );
    for (const [name, text] of Object.entries(MIGRATIONS)) {
      if (name === '0023_contacts') break;
      await sql.raw(text).execute(db);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    const [ann, bob, carl, dora] = [createId(), createId(), createId(), createId()];
    const crowd = Array.from({ length: 101 }, () => createId());
    for (const id of [ann, bob, carl, dora, ...crowd]) {
      await sql`insert into accounts (id, email, display_name) values (${id}, ${`${id}@example.org`}, '')`.execute(db);
    }
    const converse = async (kind: string, members: readonly string[]) => {
      const id = createId();
      await sql`insert into conversations (id, kind) values (${id}, ${kind})`.execute(db);
      await sql`insert into members (conversation_id, member_kind, member_id)
        select ${id}, 'human', unnest(${members}::uuid[])`.execute(db);
      return id;
    };
    await converse('h2h', [ann, bob]);
    const group = await converse('group', [bob, carl, dora]);
    await sql`update members set left_at = now() where conversation_id = ${group} and member_id = ${dora}`.execute(db);
    await converse('group', crowd);
    expect(await migrate(storage.url)).toContain('0023_contacts');
    const rows = await db.selectFrom('contacts').select(['account_id', 'contact_id']).execute();
    const found = rows.map(({ account_id, contact_id }) => `${account_id} ${contact_id}`).sort();
    expect(found).toEqual([`${ann} ${bob}`, `${bob} ${ann}`, `${bob} ${carl}`, `${carl} ${bob}`].sort());
  } finally {
    await storage.close();
    await database.drop();
  }
});

it('AC-6 blocks of before are by number after the migration', async () => {
  const database = await createDatabase();
  const storage = openStorage(database.url);
  const { db } = storage;
  try {
    await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(
      db,
    );
    for (const [name, text] of Object.entries(MIGRATIONS)) {
      if (name === '0026_blocks_by_number') break;
      await sql.raw(text).execute(db);
      await sql`insert into migrations (name) values (${name})`.execute(db);
    }
    const ann = createId();
    await sql`insert into accounts (id, email, display_name) values (${ann}, 'ann@example.org', '')`.execute(db);
    const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n));
    const since = minute(5);
    const expected = new Map<string, unknown>();
    /** Someone who wrote in these minutes, from this number on, and is blocked from the fifth to `until`. */
    const block = async (numbers: { first: number; minutes: readonly number[]; until?: number }, result: unknown) => {
      const [id, other] = [createId(), createId()];
      const { first, minutes, until } = numbers;
      await sql`insert into accounts (id, email, display_name) values (${other}, ${`${other}@example.org`}, '')`.execute(
        db,
      );
      await sql`insert into conversations (id, kind, last_seq) values (${id}, 'h2h', ${first + minutes.length - 1})`.execute(
        db,
      );
      await sql`insert into members (conversation_id, member_kind, member_id)
        select ${id}, 'human', unnest(${[ann, other]}::uuid[])`.execute(db);
      for (const [index, n] of minutes.entries()) {
        await sql`insert into messages (conversation_id, seq, id, client_message_id, sender_kind, sender_id, content_type,
            msg_subtype, envelope_hash, created_at, received_at)
          values (${id}, ${first + index}, ${createId()}, ${createId()}, 'human', ${other}, 'text', 'text', '', ${minute(n)},
            ${minute(n)})`.execute(db);
      }
      await sql`insert into blocks (account_id, blocked_id, since, until)
        values (${ann}, ${other}, ${since}, ${until === undefined ? null : minute(until)})`.execute(db);
      expected.set(other, result);
    };
    await block({ first: 1, minutes: [1, 2, 6, 7] }, [2, null]);
    await block({ first: 1, minutes: [1, 2, 6, 7, 9], until: 8 }, [2, 4]);
    await block({ first: 1, minutes: [6] }, [0, null]);
    // What was written before the block, or everything, is no longer kept.
    await block({ first: 40, minutes: [6, 7], until: 8 }, [39, 41]);
    await block({ first: 40, minutes: [] }, [39, null]);
    await block({ first: 1, minutes: [1, 2], until: 8 }, [2, 2]);
    await migrate(storage.url);
    const rows = await db.selectFrom('blocks').select(['blocked_id', 'since_seq', 'until_seq']).execute();
    expect(new Map(rows.map((row) => [row.blocked_id, [row.since_seq, row.until_seq]]))).toEqual(expected);
  } finally {
    await storage.close();
    await database.drop();
  }
});
