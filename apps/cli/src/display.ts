import { displayText } from '@parley/documents';
import { STDIN } from './input.ts';

const MAX_NAME = 512;
const MAX_SENTENCE = 2_000;

/** Removes control characters, because file names and pointers come from outside. */
export function displayName(name: string): string {
  return name === STDIN ? '<stdin>' : displayText(name, MAX_NAME);
}

export function displaySentence(text: string): string {
  return displayText(text, MAX_SENTENCE);
}
