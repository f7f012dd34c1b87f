import { displayText } from '@parley/documents';
import type { Failure } from './failure.ts';
import { STDIN } from './input.ts';
import type { Words } from './messages/index.ts';

const MAX_NAME = 512;
const MAX_SENTENCE = 2_000;

/** File names and pointers come from outside: a control character in one must not reach the terminal. */
export function displayName(name: string): string {
  return name === STDIN ? '<stdin>' : displayText(name, MAX_NAME);
}

export function displaySentence(text: string): string {
  return displayText(text, MAX_SENTENCE);
}

export function sayFailure({ sentences }: Failure, words: Words): string {
  const said = sentences.map(({ key, params = {} }) => {
    const shown = Object.entries(params).map(([name, value]) => [name, displayName(String(value))]);
    return words.say(key, Object.fromEntries(shown));
  });
  return said.join('\n');
}
