import type { Prompt } from '@parley/client';
import { describe, expect, it } from 'vitest';
import { wordsFor } from '../../messages/index.ts';
import { explainAnswers, formatKeys, giveAnswer, readAnswer } from './prompt-answers.ts';

function makePrompt(change: Partial<Prompt> = {}) {
  const given: unknown[] = [];
  const prompt = {
    tool: { name: 'read_file', description: '' },
    edge: 'files directly in the folder ~/notes',
    remember: ['edge', 'values', 'once', 'tool'],
    canAlwaysDeny: false,
    canStopAsking: false,
    allow: (remember?: string) => void given.push(['allow', remember]),
    deny: () => void given.push('deny'),
    alwaysDeny: () => void given.push('always deny'),
    stopAsking: () => void given.push('stop asking'),
    ...change,
  } as Prompt;
  return { prompt, given };
}
const HIGH: Partial<Prompt> = { remember: [], canAlwaysDeny: true };

describe('CG-10 what people type at a question', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf', '', ' ', 'y', 'ab'])(
    'CG-10 attack: typing %j is no answer, and ends nothing',
    (typed) => {
      expect(readAnswer(typed, makePrompt().prompt)).toBeUndefined();
    },
  );

  it('CG-15 CG-14 every answer by its letter or its word, in both languages', () => {
    const { prompt, given } = makePrompt({ canAlwaysDeny: true, canStopAsking: true });
    for (const typed of [' A ', '允许', 'v', 'once', '整个工具', 'd', 'never', 's', '停止询问']) {
      const answer = readAnswer(typed, prompt);
      if (answer !== undefined && answer !== 'help') giveAnswer(answer, prompt);
    }
    expect(given).toEqual([
      ['allow', undefined],
      ['allow', undefined],
      ['allow', 'values'],
      ['allow', 'once'],
      ['allow', 'tool'],
      'deny',
      'always deny',
      'stop asking',
      'stop asking',
    ]);
  });

  it('CG-15 what a question does not offer is no answer to it', () => {
    const { prompt } = makePrompt();
    expect(['n', 'never', 's', 'stop'].map((typed) => readAnswer(typed, prompt))).toEqual(Array(4).fill(undefined));
    const { prompt: high } = makePrompt(HIGH);
    expect(['o', 'v', 't', 'n'].map((typed) => readAnswer(typed, high))).toEqual([
      undefined,
      undefined,
      undefined,
      'n',
    ]);
    const { prompt: whole } = makePrompt({ remember: ['tool', 'values', 'once'] });
    expect(['t', 'v', 'o'].map((typed) => readAnswer(typed, whole))).toEqual([undefined, 'v', 'o']);
  });

  it('CG-15 the line is short, and ? or --help explains all answers', () => {
    const words = wordsFor('en');
    const { prompt } = makePrompt({ canStopAsking: true });
    expect(['?', '？', 'help', '--help'].map((typed) => readAnswer(typed, prompt))).toEqual(Array(4).fill('help'));
    expect(formatKeys(prompt, words)).toBe(
      'a = allow, o = only once, d = deny, s = stop asking for an hour, ? = explain, then Enter',
    );
    expect(formatKeys(makePrompt(HIGH).prompt, words)).toBe(
      'a = allow, d = deny, n = always deny, ? = explain, then Enter',
    );
    const explained = explainAnswers(prompt, words).split('\n');
    expect(explained.map((line) => line.trim()[0])).toEqual(['a', 'v', 'o', 't', 'd', 's']);
    expect(explained[0]).toContain('files directly in the folder ~/notes');
    expect(explained[3]).toContain('read_file');
    expect(explainAnswers(prompt, wordsFor('zh-CN'))).toContain('仅允许这一次');
  });
});
