import { describe, expect, it } from 'vitest';
import { clientError, ERRORS } from './errors.ts';
import { ExecutorError } from './executors/types.ts';
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
    for (const code of [...(Object.keys(ERRORS) as (keyof typeof ERRORS)[]), 'MANIFEST_CHANGED'] as const) {
      const error = clientError(code);
      expect(error.code).toBe(code);
      expect(error.explain('zh-CN')).toMatch(/\p{Script=Han}/u);
      expect(error.explain('en')).toBe(error.message);
    }
  });

  it('TC-5 what an executor tells the agent is its own sentence; what it tells the person is that of the code', () => {
    const error = new ExecutorError('There is no file {name}.', { code: 'TOOL_UNAVAILABLE', cause: new Error('x') });
    expect(error).toMatchObject({ code: 'TOOL_UNAVAILABLE', message: 'There is no file {name}.', retry: false });
    expect(error.explain('en')).toBe('This device doesn’t have this tool.');
    expect(new ExecutorError('No.')).toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
    expect(new ExecutorError('Late.', { code: 'tool_timeout' })).toMatchObject({ retry: true });
  });
});
