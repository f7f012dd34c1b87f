import { randomUUID } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dumpDatabase } from '../src/storage/backup/dump.ts';
import { restoreDatabase } from '../src/storage/backup/restore.ts';
import { readTables } from '../src/storage/backup/schema.ts';
import { openStorage } from '../src/storage/database.ts';
import { migrate } from '../src/storage/migrate.ts';
import { migrateJobs } from '../src/storage/migrate-jobs.ts';
import { MIGRATIONS } from '../src/storage/migrations.ts';
import { createDatabase } from './harness/server.ts';

const OPTIONS = { version: '1.2.3', now: new Date('2026-01-02T03:04:05Z') };
let source: Awaited<ReturnType<typeof createDatabase>>;
const targets: Awaited<ReturnType<typeof createDatabase>>[] = [];

beforeAll(async () => {
  source = await createDatabase();
  const storage = openStorage(source.url, 2);
  await migrate(storage.url);
  await migrateJobs(storage.pool);
  await storage.close();
  await seed(source.url);
});
afterAll(async () => {
  for (const database of [source, ...targets]) await database.drop();
});

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Rows that a careless copy would change: nulls of two kinds, tabs, backslashes, emoji, microseconds, more than one part. */
async function seed(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const names = ['tab\tnewline\nbackslash\\', '\\N', '🙂 中文', ''];
    for (const name of names) {
      await client.query(
        `insert into accounts (id, email, display_name, created_at) values ($1, $2, $3, '2026-01-01 00:00:00.123456Z')`,
        [randomUUID(), `${randomUUID()}@example.com`, name],
      );
    }
    const { rows } = await client.query('select id from accounts limit 1');
    await client.query(
      `insert into passkeys (credential_id, account_id, name, public_key, counter) values ('c', $1, 'k', '\\x00ff5c0a', 9007199254740991)`,
      [rows[0].id],
    );
    await client.query(
      `insert into events (recipient_kind, recipient_id, type, payload)
       select 'human', $1, 'test.event', jsonb_build_object('n', n, 'nothing', null, 'text', repeat(md5(n::text), 20))
       from generate_series(1, 12000) n`,
      [rows[0].id],
    );
    await client.query(
      `insert into events (recipient_kind, recipient_id, type, payload) values ('human', $1, 'null', 'null')`,
      [rows[0].id],
    );
    await client.query(`select setval('event_positions', 41)`);
    await client.query(`select graphile_worker.add_job('test_task', payload := '{"n":1}', job_key := 'k', max_attempts := 7,
      run_at := '2030-01-01', queue_name := 'q')`);
  });
}

async function dump(url: string, secrets?: string): Promise<Buffer> {
  const sink = new PassThrough();
  const chunks: Buffer[] = [];
  sink.on('data', (chunk) => chunks.push(chunk));
  await dumpDatabase(url, sink, { ...OPTIONS, ...(secrets ? { secrets } : {}) });
  return Buffer.concat(chunks);
}

async function emptyDatabase(): Promise<string> {
  const database = await createDatabase();
  targets.push(database);
  return database.url;
}

/** Everything there is, table by table. */
function fingerprint(url: string): Promise<Record<string, unknown>> {
  return withClient(url, async (client) => {
    const print: Record<string, unknown> = {};
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query(
        `select count(*), md5(string_agg(t::text, '|' order by t::text)) from ${name} t`,
      );
      print[name] = rows[0];
    }
    const jobs = await client.query(
      `select task_identifier, queue_name, run_at, max_attempts, key from graphile_worker.jobs`,
    );
    return { ...print, jobs: jobs.rows };
  });
}

describe('HS-7 backup and restore', () => {
  test('HS-7 what is restored is equal to what was backed up, row for row, and counting goes on where it was', async () => {
    const target = await emptyDatabase();
    const archive = await dump(source.url);
    await restoreDatabase(target, Readable.from([archive]));
    expect(await fingerprint(target)).toEqual(await fingerprint(source.url));
    const next = await withClient(target, (client) =>
      client.query(`insert into events (recipient_kind, recipient_id, type, payload)
        values ('human', gen_random_uuid(), 'next', '{}') returning id`),
    );
    expect(Number(next.rows[0].id)).toBe(12_002);
    const position = await withClient(target, (client) => client.query(`select nextval('event_positions') as n`));
    expect(position.rows[0].n).toBe('42');
    const kinds = await withClient(target, (client) =>
      client.query(`select count(*) from events where payload = 'null'::jsonb`),
    );
    expect(kinds.rows[0].count).toBe('1');
  });

  test('HS-7 a database that a server has migrated but nobody has used can be restored into', async () => {
    const target = await emptyDatabase();
    const storage = openStorage(target, 2);
    await migrate(storage.url);
    await storage.close();
    const archive = await dump(source.url);
    await restoreDatabase(target, Readable.from([archive]));
    expect(await fingerprint(target)).toEqual(await fingerprint(source.url));

    const newer = await emptyDatabase();
    await withClient(newer, async (client) => {
      await client.query('create table migrations (name text, applied_at timestamptz)');
      await client.query(`insert into migrations values ('0001_accounts')`);
      await client.query('create table accounts (of_another_version integer)');
    });
    await restoreDatabase(newer, Readable.from([archive]));
    expect(await fingerprint(newer)).toEqual(await fingerprint(source.url));
  });

  test('HS-7 a backup of an older version can be restored where a newer server was started, which then starts again', async () => {
    const [older, target] = [await emptyDatabase(), await emptyDatabase()];
    const newer = openStorage(target, 2);
    await migrate(newer.url);
    await migrateJobs(newer.pool);
    await newer.close();
    const before = openStorage(older, 2);
    await migrateJobs(before.pool);
    await before.pool.query('create table migrations (name text primary key, applied_at timestamptz default now())');
    for (const [name, statements] of Object.entries(MIGRATIONS).filter(([each]) => each < '0014')) {
      await before.pool.query(statements);
      await before.pool.query('insert into migrations (name) values ($1)', [name]);
    }
    const ada = { id: randomUUID(), email: 'ada@example.com', display_name: 'Ada' };
    await before.db.insertInto('accounts').values(ada).execute();
    await before.close();
    await restoreDatabase(target, Readable.from([await dump(older)]));
    const storage = openStorage(target, 2);
    await migrate(storage.url);
    const { rows } = await storage.pool.query('select * from relay_states($1, false)', [[randomUUID()]]);
    expect(rows).toEqual([]);
    expect(await storage.db.selectFrom('accounts').select('email').execute()).toEqual([{ email: 'ada@example.com' }]);
    await storage.close();
  });

  test('OP-11 what is beside the database is put into place before it is committed, or nothing is restored', async () => {
    const target = await emptyDatabase();
    const archive = await dump(source.url);
    const count = () => withClient(target, async (client) => (await client.query('select from accounts')).rowCount);
    await migrate(target);
    const occupied = new Error('a keystore is in the way');
    const refuse = () => Promise.reject(occupied);
    await expect(restoreDatabase(target, Readable.from([archive]), { place: refuse })).rejects.toBe(occupied);
    expect(await count()).toBe(0);

    // It is refused at the very end, and what was put into place is taken away.
    let isThere = false;
    const place = async () => {
      isThere = true;
      return async () => {
        isThere = false;
      };
    };
    await withClient(target, (client) =>
      client.query(`create table nobody (id uuid primary key);
        alter table accounts add constraint refuse foreign key (id) references nobody deferrable initially deferred`),
    );
    await expect(restoreDatabase(target, Readable.from([archive]), { place })).rejects.toThrow();
    expect([isThere, await count()]).toEqual([false, 0]);
    await withClient(target, (client) => client.query('drop table nobody cascade'));
    await restoreDatabase(target, Readable.from([archive]), { place });
    expect([isThere, await fingerprint(target)]).toEqual([true, await fingerprint(source.url)]);
  });

  test('HS-7 the backup is of one moment: what is written meanwhile is not in it', async () => {
    const sink = new PassThrough({ highWaterMark: 1 });
    const done = dumpDatabase(source.url, sink, OPTIONS);
    const iterator = sink[Symbol.asyncIterator]();
    const first = await iterator.next();
    await withClient(source.url, (client) =>
      client.query(`insert into accounts (id, email, display_name) values ($1, 'late@example.com', 'late')`, [
        randomUUID(),
      ]),
    );
    const chunks = [first.value];
    for (let item = await iterator.next(); !item.done; item = await iterator.next()) chunks.push(item.value);
    await done;
    await withClient(source.url, (client) => client.query(`delete from accounts where email = 'late@example.com'`));
    const target = await emptyDatabase();
    await restoreDatabase(target, Readable.from([Buffer.concat(chunks)]));
    expect(await fingerprint(target)).toEqual(await fingerprint(source.url));
  });

  test('OP-11 attack: a server that has grown is backed up and restored, however long one table takes', async () => {
    const [grown, target] = [await emptyDatabase(), await emptyDatabase()];
    await restoreDatabase(grown, Readable.from([await dump(source.url)]));
    const limit = `current_setting('statement_timeout')`;
    // What the session of the backup may take is told by what it reads, that of the restore by what it writes.
    await withClient(grown, (client) =>
      client.query(`alter table graphile_worker._private_jobs rename to kept;
        create view graphile_worker._private_jobs as select id, task_id, job_queue_id, run_at, max_attempts, attempts, key,
          priority, json_build_object('limit', ${limit}) as payload from graphile_worker.kept`),
    );
    const archive = await dump(grown);
    expect(gunzipSync(archive).includes('{"limit" : "0"}')).toBe(true);
    await migrate(target);
    await withClient(target, (client) => client.query(`alter table accounts add check (${limit} = '0')`));
    await restoreDatabase(target, Readable.from([archive]));
  });

  test('HS-7 secrets are in it only when asked for', async () => {
    expect(gunzipSync(await dump(source.url)).includes('secrets.json')).toBe(false);
    const target = await emptyDatabase();
    const restored = await restoreDatabase(target, Readable.from([await dump(source.url, '{"token_secret":"x"}')]));
    expect(restored).toEqual({
      manifest: { created_at: '2026-01-02T03:04:05.000Z', parley_version: '1.2.3' },
      secrets: '{"token_secret":"x"}',
      keystores: {},
    });
  });

  test('HS-7 a database with something in it is not written over', async () => {
    const before = await fingerprint(source.url);
    await expect(restoreDatabase(source.url, Readable.from([await dump(source.url)]))).rejects.toMatchObject({
      code: 'DATABASE_NOT_EMPTY',
    });
    expect(await fingerprint(source.url)).toEqual(before);
  });

  test('HS-7 a backup that is cut off, altered or none at all is refused, and nothing of it stays', async () => {
    const archive = await dump(source.url);
    const plain = gunzipSync(archive);
    const altered = Buffer.from(plain);
    altered[altered.indexOf('🙂')]! ^= 0x01;
    const withoutEnd = plain.subarray(0, plain.indexOf('checksums.json'));
    const damaged = [
      archive.subarray(0, archive.length / 2),
      gzipSync(altered),
      gzipSync(Buffer.concat([withoutEnd, Buffer.alloc(1024)])),
      gzipSync(Buffer.from('no archive '.repeat(100))),
      Buffer.from('no gzip'),
      Buffer.alloc(0),
    ];
    const target = await emptyDatabase();
    for (const bytes of damaged) {
      await expect(restoreDatabase(target, Readable.from([bytes]))).rejects.toMatchObject({
        code: 'BACKUP_UNREADABLE',
      });
    }
    expect(await withClient(target, readTables)).toEqual([]);
  });

  test('HS-7 a backup of a newer version is refused by name', async () => {
    const plain = gunzipSync(await dump(source.url)).toString('latin1');
    const newer = gzipSync(Buffer.from(plain.replaceAll('0001_accounts', '9001_accounts'), 'latin1'));
    const target = await emptyDatabase();
    await expect(restoreDatabase(target, Readable.from([newer]))).rejects.toMatchObject({ code: 'BACKUP_NEWER' });
  });

  test('HS-7 a database without tables of ours gives no empty backup', async () => {
    await expect(dump(await emptyDatabase())).rejects.toMatchObject({ code: 'DATABASE_EMPTY' });
  });
});
