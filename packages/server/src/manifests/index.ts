import { availableParallelism } from 'node:os';
import { createFairScheduler, createKeyedQueue, createLru, type Locale } from '@parley/base';
import type { ManifestDiff, Policy } from '@parley/documents';
import type { BundleDiff, ReadBundle } from '@parley/documents/bundle';
import type { DescriptorDiff, DescriptorValidation } from '@parley/documents/skill';
import type { Budgets } from '../budgets/index.ts';
import { rateLimited } from '../http/request-error.ts';
import type {
  BundleCheckJob,
  BundleDiffJob,
  Checked,
  CheckJob,
  Diffed,
  DiffJob,
  Job,
  ResultOf,
  SkillCheckJob,
  SkillDiffJob,
} from './jobs.ts';
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

/** Two versions of a bundle or a skill, which are known by the digests of what was published. */
interface Versions {
  readonly before: string;
  readonly after: string;
  readonly locale: Locale;
  readonly readTexts: () => Promise<{ readonly before: string; readonly after: string }>;
}

/**
 * What costs processor time is done in worker threads, in turns by account and within its budget, and with neither a
 * lock nor a connection in hand (OP-5). `account` is whoever it is done for.
 */
export interface Manifests {
  check(account: string, job: Omit<CheckJob, 'kind'>): Promise<Checked>;
  diff(account: string, pair: Pair, options: DiffOptions): Promise<ManifestDiff>;
  checkSkill(account: string, job: Omit<SkillCheckJob, 'kind'>): Promise<DescriptorValidation>;
  checkBundle(account: string, job: Omit<BundleCheckJob, 'kind'>): Promise<ReadBundle>;
  diffSkills(account: string, versions: Versions): Promise<DescriptorDiff>;
  diffBundles(account: string, versions: Versions): Promise<BundleDiff>;
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

/**
 * A core is left for everyone else; but two there are, whatever the machine has: one account has all but one of them, so
 * that what takes it ten seconds holds up nobody else. They give way to whoever waits for a message.
 */
export const THREADS = Math.max(2, Math.min(4, availableParallelism() - 1));
/** A job costs as much as the texts that it holds. */
const MB = 1024 * 1024;
const TURN = 128 * 1024;
const MAX_JOBS = { count: 2_000, cost: 64 * MB };
const MAX_JOBS_OF_ONE = { count: 500, cost: 16 * MB };
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
    concurrencyOfOne: THREADS - 1,
    turn: TURN,
    max: MAX_JOBS,
    maxOfOne: MAX_JOBS_OF_ONE,
    refuse: () => rateLimited(1, BUDGET),
  });
  /** Of all kinds: the kind is part of the key. */
  const diffs = createLru<string, unknown>(MAX_DIFFS);
  const comparisons = createLru<string, Comparison>(MAX_COMPARISONS);
  const running = new Map<string, Promise<unknown>>();
  const pushes = createKeyedQueue();
  const pushesOf = new Map<string, number>();

  const run = <J extends Job>(account: string, job: J): Promise<ResultOf<J>> =>
    scheduler.run(
      account,
      async () => {
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
      },
      sizeOf(job),
    );
  /** Makes what is neither remembered nor under way. */
  const once = async <Diff>(account: string, key: string, make: () => Promise<Diffed<Diff>>): Promise<Diff> => {
    // What is under way is shared within an account only: its refusal is nobody else's.
    const own = `${account} ${key}`;
    const known = diffs.get(key) ?? running.get(own);
    if (known !== undefined) return known as Diff | Promise<Diff>;
    const work = async () => {
      const { diff, size } = await make();
      if (size <= MAX_DIFF_SIZE) diffs.set(key, diff);
      return diff;
    };
    const started = work().finally(() => running.delete(own));
    running.set(own, started);
    return started;
  };
  const rememberComparison = (pair: Pair, diff: ManifestDiff): void => {
    if (diff.policy !== POLICY) return;
    const { breaking, scopesRequiringReauth } = diff;
    if (scopesRequiringReauth.join().length <= MAX_COMPARISON_SIZE)
      comparisons.set(keyOf(pair), { breaking, scopesRequiringReauth });
  };
  const diffPair = (account: string, pair: Pair, { policy, locale, readTexts }: DiffOptions) =>
    once(account, `${keyOf(pair)} ${policy} ${locale}`, async () => {
      const texts = await readTexts();
      const diffed = await run<DiffJob>(account, { kind: 'diff', ...texts, policy, locale });
      rememberComparison(pair, diffed.diff);
      return diffed;
    });
  const findComparison = (pair: Pair) => comparisons.get(keyOf(pair));

  return {
    check: (account, job) => run<CheckJob>(account, { kind: 'check', ...job }),
    checkSkill: (account, job) => run<SkillCheckJob>(account, { kind: 'skill-check', ...job }),
    checkBundle: (account, job) => run<BundleCheckJob>(account, { kind: 'bundle-check', ...job }),
    diff: diffPair,
    diffSkills: (account, { readTexts, locale, ...pair }) =>
      once(account, `skill ${keyOf(pair)} ${locale}`, async () =>
        run<SkillDiffJob>(account, { kind: 'skill-diff', ...(await readTexts()), locale }),
      ),
    diffBundles: (account, { readTexts, locale, ...pair }) =>
      once(account, `bundle ${keyOf(pair)} ${locale}`, async () =>
        run<BundleDiffJob>(account, { kind: 'bundle-diff', ...(await readTexts()), locale }),
      ),
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

const sizeOf = (job: Job): number => ('text' in job ? job.text.length : (job.before?.length ?? 0) + job.after.length);
const keyOf = ({ before, after }: Pair) => `${before} ${after}`;
