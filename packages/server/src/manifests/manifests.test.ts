import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { createDeferred, type Deferred } from '@parley/base';
import { describe, expect, it, vi } from 'vitest';
import { RequestError } from '../http/request-error.ts';
import { createManifests, type Pair, THREADS } from './index.ts';
import { type Job, runJob } from './jobs.ts';
import { createWorkerPool, MAX_JOB_MS, type WorkerPool } from './worker-pool.ts';

const NO_LIMITS = { take: () => {}, charge: () => {} };
const manifest = (version: number) => ({
  schema_version: '1.0',
  agent_version: `1.0.${version}`,
  tools: [],
  permission_scopes: [],
});
const text = (version: number) => JSON.stringify(manifest(version));
const pairOf = (before: number, after: number): Pair => ({ before: `hash ${before}`, after: `hash ${after}` });
const textsOf = (before: number, after: number) => async () => ({ before: text(before), after: text(after) });

/** A pool that notes its jobs; with `held`, the test ends each of them. */
function createFakePool({ held = false } = {}) {
  const jobs: { readonly job: Job; readonly end: Deferred<void> }[] = [];
  const pool: WorkerPool = {
    run: async (job) => {
      const end = createDeferred();
      jobs.push({ job, end });
      if (held) await end.promise;
      return { result: runJob(job) as never, ms: 10 };
    },
  };
  return { pool, jobs };
}
const settle = () => new Promise(setImmediate);

describe('OP-5 comparisons', () => {
  it('OP-5 a pair is compared once, even by pushes at the same time, and its texts are read once', async () => {
    const { pool, jobs } = createFakePool();
    const manifests = createManifests({ budgets: NO_LIMITS, workers: pool });
    let reads = 0;
    const read = () => {
      reads++;
      return textsOf(1, 2)();
    };
    const compare = () => manifests.compare('owner', pairOf(1, 2), read);
    const found = await Promise.all([compare(), compare(), compare()]);
    expect(found[0]).toMatchObject({ breaking: false, scopesRequiringReauth: [] });
    expect(await compare()).toEqual({ breaking: false, scopesRequiringReauth: [] });
    expect(manifests.findComparison(pairOf(1, 2))).toBeDefined();
    expect(manifests.findComparison(pairOf(2, 1))).toBeUndefined();
    expect([jobs.length, reads]).toEqual([1, 1]);
  });

  it('OP-5 a diff is remembered in each language, and its comparison in all of them', async () => {
    const { pool, jobs } = createFakePool();
    const manifests = createManifests({ budgets: NO_LIMITS, workers: pool });
    const diff = (locale: 'en' | 'zh-CN') =>
      manifests.diff('owner', pairOf(1, 2), { policy: 'spec', locale, readTexts: textsOf(1, 2) });
    const words = [await diff('en'), await diff('zh-CN'), await diff('en')].map(({ changes }) => changes[0]!.message);
    expect(words[0]).not.toBe(words[1]);
    expect(words[2]).toBe(words[0]);
    await manifests.compare('owner', pairOf(1, 2), textsOf(1, 2));
    expect(jobs).toHaveLength(2);
  });

  it('OP-3 OP-5 attack: an account with a hundred comparisons leaves the next turn to another', async () => {
    const { pool, jobs } = createFakePool({ held: true });
    const manifests = createManifests({ budgets: NO_LIMITS, workers: pool });
    const flood = Array.from({ length: 100 }, (_, n) => manifests.compare('greedy', pairOf(n, 900), textsOf(n, 900)));
    await settle();
    const innocent = manifests.compare('innocent', pairOf(1, 2), textsOf(1, 2));
    let isDone = false;
    const done = innocent.then(() => {
      isDone = true;
    });
    await settle();
    const underWay = jobs.length;
    for (let ended = 0; !isDone && ended <= underWay + 1; ended++) {
      jobs[ended]!.end.resolve();
      await settle();
    }
    await done;
    expect(jobs.length).toBeLessThanOrEqual(underWay + 3);
    for (let ended = 0; ended < 101; ended++) {
      jobs[ended]!.end.resolve();
      await settle();
    }
    await Promise.all(flood);
  });

  it('OP-3 OP-5 attack: a comparison that takes ten seconds holds up nobody else, on however few cores', async () => {
    const { pool, jobs } = createFakePool({ held: true });
    const manifests = createManifests({ budgets: NO_LIMITS, workers: pool });
    const slow = Array.from({ length: 10 }, (_, n) => manifests.compare('greedy', pairOf(n, 900), textsOf(n, 900)));
    await settle();
    expect(jobs).toHaveLength(THREADS - 1);
    const innocent = manifests.compare('innocent', pairOf(1, 2), textsOf(1, 2));
    await settle();
    expect(jobs).toHaveLength(THREADS);
    jobs[THREADS - 1]!.end.resolve();
    expect(await innocent).toMatchObject({ breaking: false });
    for (let ended = 0; ended < 11; ended++) {
      jobs[ended]!.end.resolve();
      await settle();
    }
    await Promise.all(slow);
  });

  it('OP-5 attack: texts that wait to be compared are bounded in bytes, for each account', async () => {
    const { pool, jobs } = createFakePool({ held: true });
    const manifests = createManifests({ budgets: NO_LIMITS, workers: pool });
    const large = { before: null, after: `"${'x'.repeat(4 * 1024 * 1024)}"` };
    const diff = (account: string, n: number) =>
      manifests
        .compare(account, pairOf(n, n), async () => large)
        .then(
          () => 'compared',
          (error: { code?: string }) => error.code ?? 'failed',
        );
    const outcomes: string[] = [];
    for (let n = 0; n < THREADS + 20; n++) void diff('greedy', n).then((outcome) => outcomes.push(outcome));
    await settle();
    expect(outcomes.length).toBeGreaterThanOrEqual(16);
    expect(new Set(outcomes)).toEqual(new Set(['RATE_LIMITED']));
    void diff('innocent', 1_000);
    await settle();
    expect(jobs).toHaveLength(THREADS);
  });

  it('OP-5 two versions of a skill or a bundle are compared once for each pair and language', async () => {
    const found = { diff: { breaking: false, changes: [] }, size: 40 };
    const kinds: string[] = [];
    const workers = {
      run: async ({ kind }: Job) => {
        kinds.push(kind);
        return { result: found, ms: 1 };
      },
    } as unknown as WorkerPool;
    const manifests = createManifests({ budgets: NO_LIMITS, workers });
    const versions = { before: 'a', after: 'b', readTexts: async () => ({ before: '{}', after: '{}' }) };
    for (const locale of ['en', 'zh-CN', 'en'] as const) {
      const both = [
        manifests.diffSkills('owner', { ...versions, locale }),
        manifests.diffSkills('owner', { ...versions, locale }),
      ];
      expect(await Promise.all(both)).toEqual([found.diff, found.diff]);
      expect(await manifests.diffBundles('another', { ...versions, locale })).toEqual(found.diff);
    }
    expect(kinds.sort()).toEqual(['bundle-diff', 'bundle-diff', 'skill-diff', 'skill-diff']);
  });

  it('OP-1 OP-5 attack: manifests that take long to compare use up their owner’s time, and then wait', async () => {
    const { pool, jobs } = createFakePool();
    let left = 25;
    const budgets = {
      take: () => {
        if (left <= 0) throw new RequestError('RATE_LIMITED');
      },
      charge: (_: string, { diff_ms_per_minute = 0 }) => {
        left -= diff_ms_per_minute;
      },
    };
    const manifests = createManifests({ budgets, workers: pool });
    const compareAll = () =>
      Promise.allSettled([1, 2, 3, 4, 5].map((n) => manifests.compare('owner', pairOf(n, 9), textsOf(n, 9))));
    const outcomes = (await compareAll()).map(({ status }) => status);
    expect(outcomes.filter((status) => status === 'fulfilled')).toHaveLength(3);
    expect(jobs).toHaveLength(3);
    // What was compared is not compared again when there is time for the rest.
    left = 25;
    expect((await compareAll()).map(({ status }) => status)).not.toContain('rejected');
    expect(jobs).toHaveLength(5);
  });

  it('OP-1 OP-5 attack: manifests that break the thread that compares them cost their owner time, too', async () => {
    const charged: number[] = [];
    const budgets = {
      take: () => {},
      charge: (_: string, { diff_ms_per_minute = 0 }) => void charged.push(diff_ms_per_minute),
    };
    const workers: WorkerPool = { run: () => Promise.reject(new Error('out of memory')) };
    const manifests = createManifests({ budgets, workers });
    await expect(manifests.compare('owner', pairOf(1, 2), textsOf(1, 2))).rejects.toThrow('out of memory');
    expect(charged).toEqual([expect.any(Number)]);
    expect(charged[0]).toBeGreaterThan(0);
  });

  it('OP-5 attack: an account that pushes more than it may wait with is told when to come back', async () => {
    const manifests = createManifests({ budgets: NO_LIMITS });
    const end = createDeferred();
    let running = 0;
    const push = (account: string, agentId: string) =>
      manifests.pushInTurn({ account, agentId }, async () => {
        running++;
        await end.promise;
        running--;
      });
    const pushes = Array.from({ length: 128 }, () => push('owner', 'agent'));
    expect(running).toBe(1);
    await expect(push('owner', 'another')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const other = push('other', 'theirs');
    expect(running).toBe(2);
    end.resolve();
    await Promise.all([...pushes, other]);
    await push('owner', 'another');
  });
});

describe('OP-5 worker threads', () => {
  it('OP-5 attack: a comparison that never ends is given up, and its thread replaced', async () => {
    const program = `import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ text }) => {
        while (text === 'endless');
        parentPort.postMessage({ ms: 1, result: text });
      });`;
    const pool = createWorkerPool(() => new URL(`data:text/javascript,${encodeURIComponent(program)}`));
    const check = { kind: 'check', locale: 'en', platform: false } as const;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const endless = expect(pool.run({ ...check, text: 'endless' })).rejects.toThrow('the worker thread has ended');
      vi.advanceTimersByTime(MAX_JOB_MS);
      await endless;
      expect((await pool.run({ ...check, text: 'next' })).result).toBe('next');
      vi.advanceTimersByTime(MAX_JOB_MS);
      expect((await pool.run({ ...check, text: 'another' })).result).toBe('another');
    } finally {
      vi.useRealTimers();
    }
  });

  it('OP-5 a job runs in another thread; one that fails is rejected, and the next one runs', async () => {
    const pool = createWorkerPool();
    const check = { kind: 'check', locale: 'en', platform: false } as const;
    const { result, ms } = await pool.run({ ...check, text: text(1) });
    expect(result.hash).toBe((runJob({ ...check, text: text(1) }) as typeof result).hash);
    expect(ms).toBeGreaterThan(0);
    await expect(pool.run({ ...check, text: 'no JSON' })).rejects.toThrow('SyntaxError');
    expect((await pool.run({ ...check, text: '{}' })).result).toMatchObject({ hash: undefined });
  });

  it('OP-5 what a check says survives the way: findings, U+0000, half a character', async () => {
    const pool = createWorkerPool();
    const check = { kind: 'check', locale: 'zh-CN', platform: false } as const;
    for (const name of ['a\u0000b', 'a\\u0000b', '\ud800']) {
      const job = { ...check, text: JSON.stringify({ ...manifest(1), 'x-note': name }) };
      expect((await pool.run(job)).result).toEqual(runJob(job));
    }
  });
});

/** The priorities of this process's threads; elsewhere than on Linux they have none of their own. */
function listPriorities(): number[] {
  if (process.platform !== 'linux') return [constants.priority.PRIORITY_BELOW_NORMAL];
  const stats = readdirSync('/proc/self/task').map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8'));
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

it('OP-5 a worker thread leaves the processor to whoever waits for a message', async () => {
  const own = getPriority();
  await createWorkerPool().run({ kind: 'check', text: text(1), locale: 'en', platform: false });
  expect(listPriorities()).toContain(constants.priority.PRIORITY_BELOW_NORMAL);
  expect(getPriority()).toBe(own);
});
