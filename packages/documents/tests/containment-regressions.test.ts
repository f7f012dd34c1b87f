import { createJudges, type JsonObject } from '@parley/testkit';
import { describe, expect, test } from 'vitest';
import cases from './containment-regressions.json' with { type: 'json' };
import { subject } from './fuzz-subject.ts';

describe('DF-21 pairs that were once called silent', () => {
  test.for(cases)('DF-21 $name', ({ before, after, instance }) => {
    const [old, now] = [before, after] as unknown as [JsonObject, JsonObject];
    expect([createJudges(old).verdict(instance), createJudges(now).verdict(instance)]).toEqual([true, false]);
    expect([subject.check(old)(instance), subject.check(now)(instance)]).toEqual([true, false]);
    expect(subject.compare(old, now)?.silent).toBe(false);
  });
});
