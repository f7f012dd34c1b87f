import { startCutProxy } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from '../../tests/harness/server.ts';
import { withClient } from './client.ts';
import { openStorage } from './database.ts';
import { describeOutage } from './outage.ts';

const LIMITS = { connectMs: 1_000, statementMs: 500, idleTransactionMs: 0 };
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: Awaited<ReturnType<typeof startCutProxy>>;
let proxied: string;

beforeEach(async () => {
  database = await createDatabase();
  proxy = await startCutProxy(database.url);
  const url = new URL(database.url);
  url.port = new URL(proxy.url).port;
  proxied = url.href;
});
afterEach(async () => {
  await proxy.close();
  await database.drop();
});

const fail = (work: Parameters<typeof withClient>[1]) =>
  withClient(proxied, work, { limits: LIMITS }).then(
    () => undefined,
    (error: unknown) => describeOutage(error),
  );

describe('OP-9 one connection for whoever has no pool', () => {
  it('OP-9 a statement that takes too long is ended by the database', async () => {
    expect(await fail((client) => client.query('select pg_sleep(60)'))).toBe('57014');
  });

  it('OP-9 attack: one that goes dark is given up, before it answers or in the middle of something', async () => {
    const dark = fail((client) => {
      proxy.freeze();
      return client.query('select 1');
    });
    expect(await dark).toBe('connection lost');
    expect(await fail(async () => {})).toBe('timeout');
  });

  it('OP-9 attack: one without a limit for statements is neither given up at once nor limited by the database', async () => {
    const patient = { ...LIMITS, statementMs: 0 };
    const ask = async (client: Pick<pg.Client, 'query'>) => {
      const { rows } = await client.query(`select pg_sleep(1.5), current_setting('statement_timeout') as limit`);
      return rows[0].limit;
    };
    expect(await withClient(database.url, ask, { limits: patient })).toBe('0');
    const storage = openStorage(database.url, 1, patient);
    expect(await ask(storage.pool).finally(() => storage.close())).toBe('0');
  });

  it('OP-9 attack: one that is lost between two statements fails the next, and does not end the process', async () => {
    const lost = fail(async (client) => {
      const ended = new Promise((resolve) => client.once('end', resolve));
      proxy.cut();
      await ended;
      await client.query('select 1');
    });
    expect(await lost).toBe('connection lost');
  });

  it('OP-9 a signal ends what the database does for it', async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const sleepers = () =>
      withClient(database.url, async (client) => {
        const { rowCount } = await client.query(`select from pg_stat_activity
          where datname = current_database() and query = 'select pg_sleep(600)' and state = 'active'`);
        return rowCount;
      });
    const sleeping = withClient(database.url, (client) => client.query('select pg_sleep(600)'), { signal });
    await until(async () => expect(await sleepers()).toBe(1));
    stopping.abort();
    await expect(sleeping).rejects.toBe(signal.reason);
    await until(async () => expect(await sleepers()).toBe(0));
  });

  it('OP-9 a signal ends it with its reason, also while it connects', async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    proxy.freeze();
    const connecting = withClient(proxied, async () => {}, { signal });
    stopping.abort();
    await expect(connecting).rejects.toBe(signal.reason);
    await expect(withClient(proxied, async () => {}, { signal })).rejects.toBe(signal.reason);
  });
});

it('OP-9 a pool that was used without Kysely is closed as well', async () => {
  const storage = openStorage(database.url, 1);
  await storage.pool.query('select 1');
  await storage.close();
  expect([storage.pool.ended, storage.pool.totalCount]).toEqual([true, 0]);
});
