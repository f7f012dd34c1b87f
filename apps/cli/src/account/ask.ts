import { isCancel, password, text } from '@clack/prompts';
import { CommandError } from '../command-error.ts';
import { readInput, STDIN } from '../input.ts';
import type { MessageKey, Words } from '../messages/index.ts';

export const isAtTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

const settled = (answer: string | symbol | undefined): string => {
  if (isCancel(answer)) throw new CommandError('CANCELLED', { sentences: [{ key: 'account.interrupted' }] });
  return String(answer ?? '').trim();
};

/** Asked on standard error: standard output is for the answer of the command. */
export async function askText(key: MessageKey, words: Words): Promise<string> {
  const validate = (value = '') => (value.trim() === '' ? words.say('init.needed') : undefined);
  return settled(await text({ message: words.say(key), validate, output: process.stderr }));
}

export async function askHidden(key: MessageKey, words: Words): Promise<string> {
  const validate = (value = '') => (value === '' ? words.say('init.needed') : undefined);
  const answer = await password({ message: words.say(key), validate, output: process.stderr });
  if (isCancel(answer)) throw new CommandError('CANCELLED', { sentences: [{ key: 'account.interrupted' }] });
  return String(answer);
}

/** A new secret, typed twice. */
export async function askNewSecret(key: MessageKey, words: Words): Promise<string> {
  const first = await askHidden(key, words);
  const second = await askHidden('account.ask.again', words);
  if (first !== second) throw new CommandError('SECRETS_DIFFER');
  return first;
}

/** The first line of standard input: for scripts, since command lines can be read by everyone. */
export async function readSecretLine(): Promise<string> {
  const lines = new TextDecoder().decode(await readInput(STDIN)).split(/\r?\n/);
  if (!lines[0]) throw new CommandError('USAGE', { sentences: [{ key: 'account.secret_missing' }] });
  return lines[0];
}
