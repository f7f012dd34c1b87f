import { describe, expect, it } from 'vitest';
import { readVectors } from '../../tests/skill-vectors.ts';
import { readSkillIndex } from './read-index.ts';

interface Case {
  readonly name: string;
  readonly index: unknown;
  readonly ids: string[] | null;
  readonly problems: string[];
}

describe('SD-8 an index', () => {
  it.each(readVectors<{ cases: Case[] }>('sd-8-index.json').cases)('$name', ({ index, ids, problems }) => {
    const found = readSkillIndex(index);
    expect(found.index?.skills.map(({ id }) => id) ?? null).toEqual(ids);
    expect(found.problems.map(({ field }) => field)).toEqual(problems);
  });

  it('in Chinese tells its problems in Chinese', () => {
    expect(readSkillIndex({}, { locale: 'zh-CN' }).problems[0]!.message).toMatch(/缺少字段/);
  });
});
