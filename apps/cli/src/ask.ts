import { CommandError } from './command-error.ts';
import { readInput, STDIN } from './input.ts';
import type { MessageKey, Words } from './messages/index.ts';

// Each question loads the prompts itself, because they are the slowest part of starting up (HS-15).

export const isAtTerminal = (): boolean => Boolean(process.stdin.isTTY && process.stderr.isTTY);

interface TextOptions {
  readonly initial?: string;
  /** The sentence for a person who cancels the question. */
  readonly cancelled?: MessageKey;
}

/** Asks on standard error, because standard output is for the result of the command. */
export async function askText(key: MessageKey, words: Words, options: TextOptions = {}): Promise<string> {
  const { text } = await import('@clack/prompts');
  const { initial = '', cancelled = 'account.interrupted' } = options;
  const validate = (value = '') => (value.trim() === '' ? words.say('init.needed') : undefined);
  const answer = await text({ message: words.say(key), initialValue: initial, validate, output: process.stderr });
  return settled(answer ?? '', cancelled).trim();
}

export async function askHidden(
  key: MessageKey,
  words: Words,
  cancelled: MessageKey = 'account.interrupted',
): Promise<string> {
  const { password } = await import('@clack/prompts');
  const validate = (value = '') => (value === '' ? words.say('init.needed') : undefined);
  return settled(await password({ message: words.say(key), validate, output: process.stderr }), cancelled);
}

/** Asks for a new secret, which is typed twice. */
export async function askNewSecret(key: MessageKey, words: Words): Promise<string> {
  const first = await askHidden(key, words);
  const second = await askHidden('account.ask.again', words);
  if (first !== second) throw new CommandError('SECRETS_DIFFER');
  return first;
}

interface YesNoOptions {
  /** What Enter alone means; no by default. */
  readonly initial?: boolean;
  readonly cancelled?: MessageKey;
}

export async function askYesNo(message: string, words: Words, options: YesNoOptions = {}): Promise<boolean> {
  const { confirm } = await import('@clack/prompts');
  const { initial = false, cancelled } = options;
  const [active, inactive] = [words.say('ask.yes'), words.say('ask.no')];
  const answer = await confirm({ message, active, inactive, initialValue: initial, output: process.stderr });
  return settled(answer, cancelled);
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  /** Whether Enter alone means it. */
  readonly chosen: boolean;
}

/** Asks which of several, and returns the values of those. */
export async function askWhich(message: string, choices: readonly Choice[], cancelled: MessageKey): Promise<string[]> {
  const { multiselect } = await import('@clack/prompts');
  const options = choices.map(({ value, label, hint }) => ({ value, label, hint }));
  const initialValues = choices.filter(({ chosen }) => chosen).map(({ value }) => value);
  const answer = await multiselect({ message, options, initialValues, required: false, output: process.stderr });
  return settled(answer, cancelled);
}

/** At Ctrl-C the prompts return a symbol. */
function settled<Answer>(answer: Answer, cancelled?: MessageKey): Exclude<Answer, symbol> {
  if (typeof answer === 'symbol') {
    throw new CommandError('CANCELLED', cancelled === undefined ? {} : { sentences: [{ key: cancelled }] });
  }
  return answer as Exclude<Answer, symbol>;
}

/** Without a terminal a question would end the program as if all were done. */
export function requireTerminal(): void {
  if (!isAtTerminal()) throw new CommandError('USAGE', { sentences: [{ key: 'account.terminal_needed' }] });
}

/** Reads the first line of standard input, so that scripts need not put a secret on a command line, which everyone can read. */
export async function readSecretLine(): Promise<string> {
  return (await readSecretLines(1))[0]!;
}

export async function readSecretLines(count: number): Promise<readonly string[]> {
  const lines = new TextDecoder()
    .decode(await readInput(STDIN))
    .split(/\r?\n/)
    .slice(0, count);
  if (lines.length < count || lines.includes('')) {
    const key = count === 1 ? 'account.secret_missing' : 'account.secrets_missing';
    throw new CommandError('USAGE', { sentences: [{ key }] });
  }
  return lines;
}
