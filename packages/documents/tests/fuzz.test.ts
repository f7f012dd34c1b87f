import { type FuzzReport, fuzz } from '@parley/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createSubject } from '../../../scripts/fuzz/subject.mjs';
import { loadEngine, removeVariants } from '../../../scripts/fuzz/variant.mjs';
import limits from './fuzz-limits.json' with { type: 'json' };
import { subject } from './fuzz-subject.ts';
import variants from './fuzz-variants.json' with { type: 'json' };

const SEED = 3;
/** `npm run fuzz` takes as many as it is given time for. */
const PAIRS = 900;
/** From the first pair on, the last to be caught takes a third as many. `from` is the pair that catches one that takes long. */
const MAX_HUNT = 2_500;
/** Seconds of work, which a busy machine stretches. */
const LIMIT = { timeout: 240_000 };

test(
  'DF-21 no pair called silent is shown to break, none called the same to differ, no witness is false, no verdict differs from the judges',
  LIMIT,
  () => {
    const report = fuzz(subject, { seed: SEED, pairs: PAIRS, instances: 40 });
    expect(report.failures).toEqual([]);
    expect(report.silent).toBeGreaterThan(PAIRS / 4);
    expect(report.same).toBeGreaterThan(PAIRS / 10);
    expect(report.breaking).toBeGreaterThan(PAIRS / 4);
    expect(report.accepted / report.instances).toBeGreaterThan(0.3);
    expect(report.disagreed / report.compared).toBeLessThan(0.02);
  },
);

afterAll(removeVariants);

test.for(limits)('DF-21 an engine that gives up early is still right: $id', LIMIT, async (limit) => {
  const report = fuzz(createSubject(await loadEngine(limit)), { seed: SEED, pairs: 90, instances: 30 });
  expect(report.failures).toEqual([]);
  expect(report.silent).toBeGreaterThan(18);
});

describe('DF-21 the fuzzer catches an engine that', () => {
  test.for(variants)('DF-21 the fuzzer catches an engine that $does', LIMIT, async (variant) => {
    const wrong = createSubject(await loadEngine(variant));
    const kind = variant.kind ?? 'unsound';
    const isCaught = ({ failures }: FuzzReport) => failures.some((failure) => failure.kind === kind);
    const hunt = { hunt: true, from: variant.from ?? 0, maxFailures: MAX_HUNT };
    const options = { seed: SEED, pairs: MAX_HUNT, instances: 40, ...hunt };
    expect(isCaught(fuzz(wrong, { ...options, isOver: isCaught }))).toBe(true);
  });

  test('DF-21 the fuzzer catches nothing where nothing was changed', LIMIT, async () => {
    const report = fuzz(createSubject(await loadEngine()), { seed: SEED, pairs: 300, instances: 40, hunt: true });
    expect(report.failures).toEqual([]);
  });

  test('DF-21 a variant whose text to replace is gone is an error, not a pass', async () => {
    const stale = { ...variants[0]!, id: 'stale', find: 'no such text' };
    await expect(loadEngine(stale)).rejects.toThrow('occurs 0 times');
  });
});
