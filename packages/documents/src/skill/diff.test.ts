import { describe, expect, it } from 'vitest';
import { patched, readVectors, seedDescriptor } from '../../tests/skill-vectors.ts';
import { CHANGE_TEXTS } from './change-texts.ts';
import { diffDescriptors } from './diff.ts';

interface Case {
  readonly name: string;
  readonly patch: Parameters<typeof patched>[0];
  readonly breaking: boolean;
  readonly changes: readonly { code: string; path: string; side?: 'old' }[];
  readonly versionProblem?: string;
}

describe('SD-7 vectors', () => {
  it.each(readVectors<{ cases: Case[] }>('sd-7-changes.json').cases)('$name', (vector) => {
    const { breaking, changes, versionProblem } = diffDescriptors(seedDescriptor(), patched(vector.patch));
    const anyPath = new Set(vector.changes.filter(({ path }) => path === '*').map(({ code }) => code));
    const shown = changes.map(({ code, path, side }) => `${code} ${anyPath.has(code) ? '*' : path} ${side}`);
    const wanted = vector.changes.map(({ code, path, side = 'new' }) => `${code} ${path} ${side}`);
    const plain = (list: string[]) => [...new Set(list.map((line) => line.replace(/ \* \w+$/, ' *')))].sort();
    expect(plain(shown)).toEqual(plain(wanted));
    expect(breaking).toBe(vector.breaking);
    expect(versionProblem).toBe(vector.versionProblem);
  });
});

describe('SD-7 a change', () => {
  it('brings a value that shows it', () => {
    const after = patched([{ op: 'add', path: '/inputs/0/schema/maxLength', value: 3 }]);
    const { changes } = diffDescriptors(seedDescriptor(), after);
    expect(changes).toMatchObject([{ code: 'input.narrowed', input: 'text', breaking: true }]);
    expect(String(changes[0]!.witness).length).toBeGreaterThan(3);
  });

  it('has a sentence in both languages with the same parameters', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const texts of Object.values(CHANGE_TEXTS)) {
      expect(places(texts['zh-CN'])).toEqual(places(texts.en));
      expect(texts['zh-CN']).toMatch(/\p{Script=Han}/u);
    }
    const after = patched([{ op: 'remove', path: '/inputs/2' }]);
    expect(diffDescriptors(seedDescriptor(), after, { locale: 'zh-CN' }).changes[0]!.message).toBe(
      '输入参数“source_language”已移除。',
    );
  });
});

describe('SD-7 attack: diff bombs', () => {
  const lists: readonly (readonly [string, readonly unknown[]])[] = [
    ['texts', Array.from({ length: 9_000 }, (_, index) => `v${index}`)],
    ['objects', Array.from({ length: 5_000 }, (_, index) => ({ a: [index] }))],
  ];

  it.each(lists)('SD-7 two lists of thousands of %s are looked up, not compared each with each', (_, values) => {
    const type = typeof values[0];
    const listed = (items: readonly unknown[], more = {}) =>
      patched([
        { op: 'add', path: '/inputs/0/type', value: type },
        { op: 'add', path: '/inputs/0/schema', value: { enum: items, ...more } },
        { op: 'remove', path: '/inputs/0/default' },
      ]);
    const whole = listed(values);
    expect(diffDescriptors(whole, listed(values.toReversed(), { minLength: 1, minProperties: 1 })).changes).toEqual([]);
    expect(diffDescriptors(whole, listed(values.slice(1))).changes).toMatchObject([{ code: 'input.narrowed' }]);
  });
});
