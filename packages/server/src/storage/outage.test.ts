import pg from 'pg';
import { expect, it } from 'vitest';
import { createDatabase } from '../../tests/harness/server.ts';
import { openStorage } from './database.ts';
import { isDatabaseOutage } from './outage.ts';

const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

it('TR-7 a connection that is lost in the middle of a transaction is an outage and does not end the process', async () => {
  const database = await createDatabase();
  const { pool, close } = openStorage(database.url, 1);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const client = await pool.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const lost = new Promise<void>((resolve) => client.once('end', resolve));
  await admin.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await lost;
  expect(isDatabaseOutage(await errorOf(client.query('select 1')))).toBe(true);
  client.release();
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await admin.end();
  await close();
  await database.drop();
});

it('TR-7 two transactions that wait for each other: whoever is ended may try again', async () => {
  const database = await createDatabase();
  const { pool, close } = openStorage(database.url, 3);
  const [one, other] = [await pool.connect(), await pool.connect()];
  for (const [client, own] of [
    [one, 1],
    [other, 2],
  ] as const) {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [own]);
  }
  const results = await Promise.all([
    errorOf(one.query('select pg_advisory_xact_lock(2)').finally(() => one.query('rollback'))),
    errorOf(other.query('select pg_advisory_xact_lock(1)').finally(() => other.query('rollback'))),
  ]);
  const errors = results.filter((error) => error !== undefined);
  expect(errors).toHaveLength(1);
  expect(isDatabaseOutage(errors[0])).toBe(true);
  one.release();
  other.release();
  await close();
  await database.drop();
});

it('TR-7 a database that is not there is an outage; a statement that is wrong is not', async () => {
  const absent = openStorage('postgres://nobody@127.0.0.1:1/nothing', 1);
  expect(isDatabaseOutage(await errorOf(absent.pool.query('select 1')))).toBe(true);
  await absent.close();
  expect(isDatabaseOutage(Object.assign(new Error('terminating'), { code: '57P01' }))).toBe(true);
  expect(isDatabaseOutage(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
  expect(isDatabaseOutage(new TypeError('undefined is not a function'))).toBe(false);
  expect(isDatabaseOutage(undefined)).toBe(false);
});
