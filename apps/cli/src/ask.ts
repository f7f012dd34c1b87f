import { CommandError } from './command-error.ts';
import { readInput, STDIN } from './input.ts';
import type { MessageKey, Words } from './messages/index.ts';

// Each question loads the prompts by itself: they are the slowest part of starting up (HS-15).

export const isAtTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

interface TextOptions {
  readonly initial?: string;
  /** What is said to a person who leaves the question. */
  readonly cancelled?: MessageKey;
}

/** Asked on standard error: standard output is for the answer of the command. */
export async function askText(key: MessageKey, words: Words, options: TextOptions = {}): Promise<string> {
  const { text } = await import('@clack/prompts');
  const { initial = '', cancelled = 'account.interrupted' } = options;
  const validate = (value = '') => (value.trim() === '' ? words.say('init.needed') : undefined);
  const answer = await text({ message: words.say(key), initialValue: initial, validate, output: process.stderr });
  return settled(answer ?? '', cancelled).trim();
}

export async function askHidden(key: MessageKey, words: Words): Promise<string> {
  const { password } = await import('@clack/prompts');
  const validate = (value = '') => (value === '' ? words.say('init.needed') : undefined);
  return settled(await password({ message: words.say(key), validate, output: process.stderr }), 'account.interrupted');
}

/** A new secret, typed twice. */
export async function askNewSecret(key: MessageKey, words: Words): Promise<string> {
  const first = await askHidden(key, words);
  const second = await askHidden('account.ask.again', words);
  if (first !== second) throw new CommandError('SECRETS_DIFFER');
  return first;
}

/** No unless the person says yes. */
export async function askYesNo(message: string, words: Words, cancelled?: MessageKey): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const [active, inactive] = [words.say('ask.yes'), words.say('ask.no')];
  const answer = await confirm({ message, active, inactive, initialValue: false, output: process.stderr });
  return settled(answer, cancelled);
}

/** The prompts answer Ctrl-C with a symbol. */
function settled<Answer>(answer: Answer, cancelled?: MessageKey): Exclude<Answer, symbol> {
  if (typeof answer === 'symbol') {
    throw new CommandError('CANCELLED', cancelled === undefined ? {} : { sentences: [{ key: cancelled }] });
  }
  return answer as Exclude<Answer, symbol>;
}

/** The first line of standard input: for scripts, since command lines can be read by everyone. */
export async function readSecretLine(): Promise<string> {
  const lines = new TextDecoder().decode(await readInput(STDIN)).split(/\r?\n/);
  if (!lines[0]) throw new CommandError('USAGE', { sentences: [{ key: 'account.secret_missing' }] });
  return lines[0];
}
