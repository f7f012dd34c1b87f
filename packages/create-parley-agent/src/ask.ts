import type { Readable, Writable } from 'node:stream';
import { intro, isCancel, select, text } from '@clack/prompts';
import { isParleyError } from '@parley/base';
import { CONNECTIONS, type Connection, DEFAULTS, MODELS, type Model } from './choices.ts';
import { createError } from './errors.ts';
import { readPlace } from './name.ts';
import { checkFree } from './place.ts';
import type { Words } from './words.ts';

/** Where questions are asked. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

export interface Answers {
  readonly folder: string;
  readonly connection: Connection;
  readonly model: Model;
}

interface AskOptions {
  readonly given: { readonly [Question in keyof Answers]: Answers[Question] | undefined };
  readonly cwd: string;
  readonly words: Words;
  readonly terminal: Terminal;
}

/** Asks for what was not given. Ctrl-C throws CREATION_CANCELLED. */
export async function ask({ given, cwd, words, terminal }: AskOptions): Promise<Answers> {
  assumeWidth(terminal.output);
  intro(words.say('title'), terminal);
  const folder = given.folder ?? (await askFolder(cwd, words, terminal));
  const connection = given.connection ?? (await choose('connection', CONNECTIONS, words, terminal));
  const model = given.model ?? (await choose('model', MODELS, words, terminal));
  terminal.output.write('\n');
  return { folder, connection, model };
}

/** Terminals that do not know their width report 0, and the prompts would then write one letter on each line. */
function assumeWidth(output: Writable & { columns?: number }): void {
  if (output.columns === 0) output.columns = 80;
}

async function askFolder(cwd: string, words: Words, terminal: Terminal): Promise<string> {
  const answer = await text({
    ...terminal,
    message: words.say('ask.folder'),
    placeholder: DEFAULTS.folder,
    defaultValue: DEFAULTS.folder,
    validate: (typed) => problemWith(typed || DEFAULTS.folder, cwd, words),
  });
  return settled(answer).trim();
}

function problemWith(typed: string, cwd: string, words: Words): string | undefined {
  try {
    checkFree(readPlace(typed.trim(), cwd).folder);
    return undefined;
  } catch (error) {
    return isParleyError(error) ? error.explain(words.locale) : String(error);
  }
}

async function choose<Choice extends Connection | Model>(
  question: Choice extends Connection ? 'connection' : 'model',
  choices: readonly Choice[],
  words: Words,
  terminal: Terminal,
): Promise<Choice> {
  type Key = 'connection.websocket' | 'model.none';
  const options = choices.map((value) => {
    const key = `ask.${`${question}.${value}` as Key}` as const;
    return { value, label: words.say(key), hint: words.say(`${key}.hint`) };
  });
  const message = words.say(`ask.${question}`);
  const answer = await select<string>({ ...terminal, message, options, showInstructions: false });
  return settled(answer) as Choice;
}

function settled<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw createError('CREATION_CANCELLED');
  return answer as Exclude<Answer, symbol>;
}
