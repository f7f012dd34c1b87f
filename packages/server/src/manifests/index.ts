import { availableParallelism } from 'node:os';
import { createFairScheduler, createKeyedQueue, createLru, type Locale } from '@parley/base';
import type { ManifestDiff, Policy } from '@parley/documents';
import type { Budgets } from '../budgets/index.ts';
import { rateLimited } from '../http/request-error.ts';
import type { Checked, CheckJob, Diffed, DiffJob, Job, ResultOf } from './jobs.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

/** The parts of a diff that re-authorisation uses. */
export type Comparison = Pick<ManifestDiff, 'breaking' | 'scopesRequiringReauth'>;

/** A pair of manifests, by their hashes; null for an agent without a manifest. */
export interface Pair {
  readonly before: string | null;
  readonly after: string;
}
/** Their JSON texts. They are read only if the pair was not compared before. */
type ReadTexts = () => Promise<Pair>;

/**
 * What costs processor time is done in worker threads, in turns by account and within its budget, and with neither a
 * lock nor a connection in hand (OP-5). `account` is whoever it is done for.
 */
export interface Manifests {
  check(account: string, job: Omit<CheckJob, 'kind'>): Promise<Checked>;
  diff(account: string, pair: Pair, options: DiffOptions): Promise<ManifestDiff>;
  /** By the server's rules (chapter 2). */
  compare(account: string, pair: Pair, readTexts: ReadTexts): Promise<Comparison>;
  /** Returns undefined if the pair was not compared before. */
  findComparison(pair: Pair): Comparison | undefined;
  /** Runs one push of an agent at a time. */
  pushInTurn<Result>(
    push: { readonly account: string; readonly agentId: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

interface DiffOptions {
  readonly policy: Policy;
  readonly locale: Locale;
  readonly readTexts: ReadTexts;
}

interface ManifestsDeps {
  readonly budgets: Pick<Budgets, 'take' | 'charge'>;
  readonly workers?: WorkerPool;
}

/** A core is left for everyone else. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** Each waiting job holds texts of up to 256 KB. */
const MAX_JOBS = { count: 2_000, cost: Number.POSITIVE_INFINITY };
const MAX_JOBS_OF_ONE = { count: 500, cost: Number.POSITIVE_INFINITY };
/** Each waiting push holds a manifest of up to 128 KB. */
const MAX_PUSHES = 128;
/** The most diffs and comparisons that are remembered, and the largest of each, as JSON. */
const MAX_DIFFS = 500;
const MAX_DIFF_SIZE = 32 * 1024;
const MAX_COMPARISONS = 10_000;
const MAX_COMPARISON_SIZE = 2 * 1024;

/** Several servers of one process, as in tests, share their threads. */
const SHARED = createWorkerPool();

export function createManifests({ budgets, workers = SHARED }: ManifestsDeps): Manifests {
  const scheduler = createFairScheduler({
    concurrency: THREADS,
    concurrencyOfOne: Math.max(1, THREADS - 1),
    max: MAX_JOBS,
    maxOfOne: MAX_JOBS_OF_ONE,
    refuse: () => rateLimited(1, BUDGET),
  });
  const diffs = createLru<string, ManifestDiff>(MAX_DIFFS);
  const comparisons = createLru<string, Comparison>(MAX_COMPARISONS);
  const running = new Map<string, Promise<ManifestDiff>>();
  const pushes = createKeyedQueue();
  const pushesOf = new Map<string, number>();

  const run = <J extends Job>(account: string, job: J): Promise<ResultOf<J>> =>
    scheduler.run(account, async () => {
      budgets.take(account, { [BUDGET]: 0 });
      const began = performance.now();
      let ms: number | undefined;
      try {
        const done = await workers.run(job);
        ms = done.ms;
        return done.result;
      } finally {
        // One that fails is not free: it may have taken all the time there is.
        budgets.charge(account, { [BUDGET]: ms ?? performance.now() - began });
      }
    });
  const remember = (pair: Pair, key: string, { diff, size }: Diffed): void => {
    if (size <= MAX_DIFF_SIZE) diffs.set(key, diff);
    if (diff.policy !== POLICY) return;
    const { breaking, scopesRequiringReauth } = diff;
    if (scopesRequiringReauth.join().length <= MAX_COMPARISON_SIZE)
      comparisons.set(keyOf(pair), { breaking, scopesRequiringReauth });
  };
  const diffPair = async (account: string, pair: Pair, { policy, locale, readTexts }: DiffOptions) => {
    const key = `${keyOf(pair)} ${policy} ${locale}`;
    // What is under way is shared within an account only: its refusal is nobody else's.
    const own = `${account} ${key}`;
    const known = diffs.get(key) ?? running.get(own);
    if (known !== undefined) return known;
    const work = async () => {
      const texts = await readTexts();
      const diffed = await run<DiffJob>(account, { kind: 'diff', ...texts, policy, locale });
      remember(pair, key, diffed);
      return diffed.diff;
    };
    const started = work().finally(() => running.delete(own));
    running.set(own, started);
    return started;
  };
  const findComparison = (pair: Pair) => comparisons.get(keyOf(pair));

  return {
    check: (account, job) => run<CheckJob>(account, { kind: 'check', ...job }),
    diff: diffPair,
    findComparison,
    compare: async (account, pair, readTexts) =>
      findComparison(pair) ?? diffPair(account, pair, { policy: POLICY, locale: 'en', readTexts }),
    pushInTurn: async ({ account, agentId }, work) => {
      const count = pushesOf.get(account) ?? 0;
      if (count >= MAX_PUSHES) throw rateLimited(1, 'manifest_pushes');
      pushesOf.set(account, count + 1);
      try {
        return await pushes.run(agentId, work);
      } finally {
        const left = pushesOf.get(account)! - 1;
        if (left === 0) pushesOf.delete(account);
        else pushesOf.set(account, left);
      }
    },
  };
}

const BUDGET = 'diff_ms_per_minute';
/** The policy that relations are judged by. */
const POLICY: Policy = 'spec';

const keyOf = ({ before, after }: Pair) => `${before} ${after}`;
