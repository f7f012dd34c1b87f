import { describe, expect, it } from 'vitest';
import { ClientFailure, explainClientFailure } from './failure.ts';
import { viewArguments } from './guard/arguments-view.ts';

describe('small parts', () => {
  it('CG-10 deep, long and many arguments stay bounded, and say what is left out', () => {
    let deep: Record<string, unknown> = { end: true };
    for (let level = 0; level < 100; level++) deep = { deep };
    const [one] = viewArguments(deep as never);
    expect(JSON.stringify(one).length).toBeLessThan(10_000);
    const long = viewArguments({ text: 'a'.repeat(10_000), list: Array.from({ length: 300 }, (_, n) => n) });
    expect(long).toMatchObject([
      { kind: 'string', cut: 6_000 },
      { kind: 'array', more: 100 },
    ]);
  });

  it('CG-10 names and values cannot hide anything', () => {
    expect(viewArguments({ 'a\u200bb': '<b>\u202e</b>', n: null, t: true, x: 1 })).toEqual([
      { name: 'a[U+200B]b', kind: 'string', text: '<b>[U+202E]</b>' },
      { name: 'n', kind: 'null', text: 'null' },
      { name: 't', kind: 'boolean', text: 'true' },
      { name: 'x', kind: 'number', text: '1' },
    ]);
  });

  it('TR-7 failures have a code and words in both languages', () => {
    const failure = new ClientFailure('DEVICE_CODE');
    expect(explainClientFailure(failure.code, 'zh-CN')).toMatch(/\p{Script=Han}/u);
    expect(explainClientFailure(failure.code, 'en')).toBe(failure.message);
    expect(explainClientFailure('toString', 'en')).toBeUndefined();
  });
});
