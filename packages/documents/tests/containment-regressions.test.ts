import { createJudges, type Json, type JsonObject } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import listed from './containment-regressions.json' with { type: 'json' };
import { subject } from './fuzz-subject.ts';

interface Pair {
  readonly before: JsonObject;
  readonly after: JsonObject;
}
interface Case extends Pair {
  readonly name: string;
  /** Compared before, with the same memory. */
  readonly earlier?: readonly Pair[];
  /** Accepted before, rejected after. */
  readonly instance: Json;
}

describe('DF-21 pairs that an engine once called silent', () => {
  test.for(listed as unknown as Case[])('DF-21 $name', ({ earlier = [], before, after, instance }) => {
    expect([createJudges(before).verdict(instance), createJudges(after).verdict(instance)]).toEqual([true, false]);
    expect([subject.check(before)(instance), subject.check(after)(instance)]).toEqual([true, false]);
    const compare = subject.open();
    for (const pair of earlier) compare(pair.before, pair.after);
    expect(compare(before, after)?.silent).toBe(false);
  });
});
