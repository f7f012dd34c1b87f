import { createDeferred } from '@parley/base';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SYSTEM_ACCOUNT } from '../src/agents/system-account.ts';
import { authenticate } from '../src/auth/authenticate.ts';
import { createBudgets } from '../src/budgets/index.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, type Talker } from './harness/talk.ts';

let server: TestServer;
let ada: Talker;
beforeAll(async () => {
  server = await startTestServer();
  ada = await addTalker(server);
});
afterAll(() => server.drop());

const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

async function createCounted(defaults: Parameters<typeof createBudgets>[0]['defaults']) {
  const { db, bus, log } = server.platform;
  const clock = { time: 0 };
  const budgets = await createBudgets({ db, bus, log, defaults, unlimited: SYSTEM_ACCOUNT, elapsed: () => clock.time });
  return { budgets, clock };
}

describe('OP-1 budgets', () => {
  it('OP-1 OP-2 a rate that is used up is refused with when to come back, and costs nothing more', async () => {
    const { budgets, clock } = await createCounted({ frames_per_second: 2, bytes_per_second: 100 });
    for (let count = 0; count < 20; count++) budgets.take(ada.id, { frames_per_second: 1, bytes_per_second: 1 });
    expect(refusal(() => budgets.take(ada.id, { frames_per_second: 1, bytes_per_second: 1 }))).toMatchObject({
      code: 'RATE_LIMITED',
      limit: 'frames_per_second',
      params: { retry_after_seconds: 1 },
    });
    const used = budgets.usedNow(ada.id, 'bytes_per_second');
    for (let count = 0; count < 50; count++) {
      refusal(() => budgets.take(ada.id, { frames_per_second: 1, bytes_per_second: 1 }));
    }
    expect(budgets.usedNow(ada.id, 'bytes_per_second')).toBe(used);
    clock.time += 500;
    budgets.take(ada.id, { frames_per_second: 1 });
    await budgets.close();
  });

  it('OP-1 what costs as much as it costs is charged afterwards', async () => {
    const { budgets, clock } = await createCounted({ diff_ms_per_minute: 600 });
    budgets.take(ada.id, { diff_ms_per_minute: 0 });
    budgets.charge(ada.id, { diff_ms_per_minute: 900 });
    expect(refusal(() => budgets.take(ada.id, { diff_ms_per_minute: 0 }))).toMatchObject({
      code: 'RATE_LIMITED',
      params: { retry_after_seconds: 30 },
    });
    clock.time += 30_001;
    budgets.take(ada.id, { diff_ms_per_minute: 0 });
    await budgets.close();
  });

  it('OP-2 what is stored is refused with the budget, what is used and the limit', async () => {
    const { budgets } = await createCounted({ agents: 3 });
    budgets.requireRoom(ada.id, 'agents', { used: 2, adding: 1 });
    expect(refusal(() => budgets.requireRoom(ada.id, 'agents', { used: 3, adding: 1 }))).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      status: 403,
      params: { budget: 'agents', used: 3, limit: 3 },
    });
    await budgets.close();
  });

  it('OP-1 so much of an account runs at a time, the rest in order; another account does not wait', async () => {
    const { budgets } = await createCounted({ connections: 2 });
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => () =>
      new Promise<void>((resolve) => {
        begun.push(name);
        ends.push(resolve);
      });
    const all = ['a', 'b', 'c', 'd'].map((name) => budgets.concurrent(ada.id, 'connections', work(name)));
    const other = budgets.concurrent(SYSTEM_ACCOUNT, 'connections', work('other'));
    expect(begun).toEqual(['a', 'b', 'other']);
    ends[1]!();
    await all[1];
    await until(() => expect(begun).toEqual(['a', 'b', 'other', 'c']));
    expect(budgets.usedNow(ada.id, 'connections')).toBe(2);
    ends[0]!();
    await until(() => expect(begun).toEqual(['a', 'b', 'other', 'c', 'd']));
    for (const end of ends) end();
    await Promise.all([...all, other]);
    expect(budgets.usedNow(ada.id, 'connections')).toBe(0);
    await budgets.close();
  });

  const waiter = (bytes: number) => {
    let leave = () => {};
    const onGone = (listener: () => void) => {
      leave = listener;
      return () => {
        leave = () => {};
      };
    };
    return { bytes, onGone, leave: () => leave() };
  };

  it('OP-1 attack: requests that wait are bounded in bytes, for each account', async () => {
    const { budgets } = await createCounted({ connections: 1 });
    const end = createDeferred();
    const large = (id: string) => budgets.concurrent(id, 'connections', () => end.promise, waiter(1024 * 1024));
    const all = Array.from({ length: 9 }, () => large(ada.id));
    await expect(large(ada.id)).rejects.toMatchObject({ code: 'RATE_LIMITED', limit: 'connections' });
    const other = budgets.concurrent(ada.deviceId, 'connections', async () => 'done');
    expect(await other).toBe('done');
    end.resolve();
    await Promise.all(all);
    expect(await budgets.concurrent(ada.id, 'connections', async () => 'done', waiter(1024 * 1024))).toBe('done');
    expect(budgets.usedNow(ada.id, 'connections')).toBe(0);
    await budgets.close();
  });

  it('OP-1 attack: a request whose client has gone waits no longer, makes room and is never carried out', async () => {
    const { budgets } = await createCounted({ connections: 1 });
    const end = createDeferred();
    const done: string[] = [];
    const first = budgets.concurrent(ada.id, 'connections', () => end.promise);
    const gone = waiter(9 * 1024 * 1024);
    const lost = budgets.concurrent(ada.id, 'connections', async () => done.push('lost'), gone);
    const wait = () => budgets.concurrent(ada.id, 'connections', async () => done.push('next'), waiter(10));
    await expect(wait()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    gone.leave();
    await expect(lost).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const next = wait();
    const onGone = (listener: () => void) => {
      listener();
      return () => {};
    };
    const already = { bytes: 10, onGone };
    await expect(budgets.concurrent(ada.id, 'connections', async () => done.push('late'), already)).rejects.toThrow();
    end.resolve();
    await Promise.all([first, next]);
    expect(done).toEqual(['next']);
    expect(budgets.usedNow(ada.id, 'connections')).toBe(0);
    await budgets.close();
  });

  it('OP-1 work that fails gives its turn back', async () => {
    const { budgets } = await createCounted({ connections: 1 });
    const failed = budgets.concurrent(ada.id, 'connections', () => Promise.reject(new Error('lost')));
    await expect(failed).rejects.toThrow('lost');
    expect(await budgets.concurrent(ada.id, 'connections', async () => 'done')).toBe('done');
    await budgets.close();
  });

  it('OP-1 the platform’s own account is not limited', async () => {
    const { budgets } = await createCounted({ frames_per_second: 1, agents: 0 });
    for (let count = 0; count < 100; count++) budgets.take(SYSTEM_ACCOUNT, { frames_per_second: 1 });
    budgets.requireRoom(SYSTEM_ACCOUNT, 'agents', { used: 1_000, adding: 1 });
    await budgets.close();
  });

  it('OP-1 what an operator changed counts on every node, without a restart', async () => {
    const here = await startTestServer();
    const there = await startTestServer({ databaseUrl: here.config.databaseUrl });
    const bo = await addTalker(here);
    const { db, bus } = here.platform;
    await db.insertInto('account_budgets').values({ account_id: bo.id, budget: 'agents', value: 7 }).execute();
    bus.wake(['budgets']);
    for (const { platform } of [here, there]) {
      await until(() => expect(platform.budgets.limitOf(bo.id, 'agents')).toBe(7));
    }
    await db.deleteFrom('account_budgets').where('account_id', '=', bo.id).execute();
    bus.wake(['budgets']);
    for (const { platform } of [here, there]) {
      await until(() => expect(platform.budgets.limitOf(bo.id, 'agents')).toBe(500));
    }
    await there.drop();
    await here.drop();
  });

  it('OP-1 an agent’s token counts for its owner', async () => {
    const bot = await addBot(server, ada);
    expect(await authenticate(server.platform, bot.token)).toEqual(bot.caller);
    expect(bot.caller.ownerId).toBe(ada.id);
  });
});
