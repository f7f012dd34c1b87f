import { until } from '@parley/testkit/until';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, startTestServer } from '../../tests/harness/server.ts';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { readUsage } from '../budgets/stored-bytes.ts';
import { createId } from '../id.ts';
import { migrate, type StartStep } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

const RELEASED = '0016_account_conversations';
const NEXT = Object.keys(MIGRATIONS).indexOf(RELEASED) + 1;

/** As the version before left it, with a conversation of two. */
let database: Awaited<ReturnType<typeof createDatabase>>;
let clients: pg.Client[];
let conversation: string;
const ann = createId();

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  clients.push(client);
  return client;
}

beforeEach(async () => {
  clients = [];
  database = await createDatabase();
  const client = await connect();
  await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())');
  for (const name of Object.keys(MIGRATIONS).slice(0, NEXT)) {
    await client.query(`${MIGRATIONS[name]}; insert into migrations (name) values ('${name}')`);
  }
  conversation = createId();
  await client.query(`insert into accounts (id, email, display_name) values ('${ann}', 'ann@example.org', 'Ann');
    insert into conversations (id, kind) values ('${conversation}', 'h2h');
    insert into members (conversation_id, member_kind, member_id) values ('${conversation}', 'human', '${ann}')`);
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

const numberMessage = (seq: number) => `update conversations set last_seq = ${seq} where id = '${conversation}'`;
const storeMessage = (seq: number) => `insert into messages (conversation_id, seq, id, client_message_id, sender_kind,
    sender_id, content_type, msg_subtype, envelope, envelope_hash, created_at, received_at)
  values ('${conversation}', ${seq}, gen_random_uuid(), gen_random_uuid()::text, 'human', '${ann}', 'text', 'text',
    'sealed', '\\x00', now(), now())`;

describe('OP-12 migrations beside the version before', () => {
  it('OP-12 attack: a relay that locks the other way round is not part of a deadlock, and the migrations go on', async () => {
    const relay = await connect();
    const steps: StartStep[] = [];
    // What the relay holds is what a migration needs after others that the relay still needs.
    await relay.query('begin');
    await relay.query(numberMessage(1));
    const migrating = migrate(database.url, { tell: (step) => steps.push(step) });
    await until(() => expect(steps.map(({ kind }) => kind)).toContain('locks'));
    await relay.query(storeMessage(1));
    await relay.query('commit');
    expect(await migrating).toEqual(Object.keys(MIGRATIONS).slice(NEXT));
    const { rows } = await relay.query('select seq from messages');
    expect(rows).toEqual([{ seq: '1' }]);
  });

  it('OP-12 attack: a migration of a database that has grown is not ended halfway, at every start anew', async () => {
    const client = await connect();
    await client.query(`alter table migrations add check (name <= '${RELEASED}'
      or (current_setting('statement_timeout') = '0' and current_setting('lock_timeout') = '900ms'))`);
    expect(await migrate(database.url)).toEqual(Object.keys(MIGRATIONS).slice(NEXT));
  });

  it('OP-12 while a backup reads a table that a migration changes, others go on reading and writing', async () => {
    const [backup, other] = [await connect(), await connect()];
    await backup.query('begin');
    await backup.query('select from members');
    let isDone = false;
    const migrating = migrate(database.url).then((names) => {
      isDone = true;
      return names;
    });
    const look = await connect();
    await until(async () => {
      const { rows } = await look.query("select 1 from pg_locks where not granted and relation = 'members'::regclass");
      expect(rows).not.toEqual([]);
    });
    // Behind the migration, which gives way: the backup goes on all the while.
    await other.query('select from members');
    await other.query(numberMessage(1));
    await other.query(storeMessage(1));
    expect(isDone).toBe(false);
    await backup.query('commit');
    expect(await migrating).toEqual(Object.keys(MIGRATIONS).slice(NEXT));
  });

  it('OP-12 a table that stays locked is a start error with a name, and what was done before stays', async () => {
    const holder = await connect();
    await holder.query('begin');
    await holder.query('select from members');
    const failure = await migrate(database.url, { giveUpMs: 1 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'MIGRATION_BLOCKED', params: { name: '0018_conversation_events' } });
    const { rows } = await holder.query('select name from migrations order by applied_at desc limit 1');
    expect(rows).toEqual([{ name: '0018_webhook_queues' }]);
    await holder.query('commit');
    expect((await migrate(database.url))[0]).toBe('0018_conversation_events');
  });

  it('OP-12 of several nodes that start at once each waits for the others, and nothing is done twice', async () => {
    const done = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
    expect(done.flat().sort()).toEqual(Object.keys(MIGRATIONS).slice(NEXT).sort());
  });

  it('OP-9 a signal ends a migration that waits for a lock', async () => {
    const [holder, look] = [await connect(), await connect()];
    await holder.query('begin');
    await holder.query('select from members');
    const stopping = new AbortController();
    const migrating = migrate(database.url, { signal: stopping.signal });
    await until(async () => {
      const { rows } = await look.query("select 1 from pg_locks where not granted and relation = 'members'::regclass");
      expect(rows).not.toEqual([]);
    });
    stopping.abort();
    await expect(migrating).rejects.toBe(stopping.signal.reason);
  });

  it('OP-1 OP-12 what was stored before is counted by a task, once it has succeeded', async () => {
    const [client] = clients;
    await client!.query(storeMessage(1));
    await migrate(database.url);
    const backfills = async () => (await client!.query('select task from backfills')).rows;
    expect(await backfills()).toEqual([{ task: 'count_usage' }]);
    // Deleted before it was counted.
    await client!.query(storeMessage(2));
    await client!.query('delete from messages where seq = 1');
    const server = await startTestServer({ databaseUrl: database.url });
    try {
      await until(async () => expect(await backfills()).toEqual([]));
      const usage = await readUsage(server.platform.db, [ann]);
      expect(usage.get(ann)).toEqual({ bytes: ROW_BYTES.message + 'sealed'.length, versions: 0, groupMembers: 0 });
    } finally {
      await server.close();
    }
  });
});
