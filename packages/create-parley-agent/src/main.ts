import { isParleyError, LOCALES, type Locale, localeOfEnvironment } from '@parley/base';
import { type Arguments, readArguments } from './arguments.ts';
import type { Answers, Terminal } from './ask.ts';
import { DEFAULTS } from './choices.ts';
import { createError, EXIT, type ExitCode, exitOf } from './errors.ts';
import { readPlace } from './name.ts';
import { describeNext } from './next-steps.ts';
import { checkFree, placeProject } from './place.ts';
import { makeProject, readVersion } from './project.ts';
import { type Words, wordsFor } from './words.ts';

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  printError(text: string): void;
  /** Undefined where nobody can be asked. */
  readonly terminal: Terminal | undefined;
}

function printTo(stream: NodeJS.WriteStream): (text: string) => void {
  return (text) => {
    // Without a listener, a pipe that its reader has closed (`| head`) would end the process with a stack trace.
    stream.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    stream.write(text);
  };
}

const PROCESS: Surroundings = {
  cwd: process.cwd(),
  env: process.env,
  print: printTo(process.stdout),
  printError: printTo(process.stderr),
  // Questions go to standard error, because standard output is for the result.
  terminal: process.stdin.isTTY && process.stderr.isTTY ? { input: process.stdin, output: process.stderr } : undefined,
};

/** Runs `create-parley-agent` and returns its exit code (PK-7). */
export async function main(argv: readonly string[], surroundings: Surroundings = PROCESS): Promise<ExitCode> {
  const { env, print, printError } = surroundings;
  const words = wordsFor(findLocale(argv) ?? localeOfEnvironment(env));
  const asJson = argv.includes('--json');
  try {
    const { text, json } = await run(readArguments(argv), words, surroundings);
    print(asJson ? `${JSON.stringify(json, null, 2)}\n` : text);
    return EXIT.fine;
  } catch (error) {
    const { code, message } = explain(error, words);
    if (asJson) print(`${JSON.stringify({ error: { code, message } }, null, 2)}\n`);
    else printError(`${message}\n`);
    return exitOf(code);
  }
}

/** Read before the arguments are parsed, because what is wrong with them is already said in that language. */
function findLocale(argv: readonly string[]): Locale | undefined {
  const at = argv.findLastIndex((word) => word === '--locale' || word.startsWith('--locale='));
  const value = argv[at] === '--locale' ? argv[at + 1] : argv[at]?.slice('--locale='.length);
  return LOCALES.find((locale) => locale === value);
}

function explain(error: unknown, { locale, say }: Words): { code: string; message: string } {
  if (isParleyError(error)) return { code: error.code, message: error.explain(locale, harmless) };
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message: say('internal', { reason: harmless(reason) }) };
}

/** What someone typed is shown without anything that could move the cursor. */
const harmless = (value: unknown): string => String(value).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');

interface Result {
  readonly text: string;
  readonly json: unknown;
}

async function run(given: Arguments, words: Words, surroundings: Surroundings): Promise<Result> {
  if (given.help) return { text: words.say('help'), json: { help: words.say('help') } };
  if (given.version) return { text: `${readVersion()}\n`, json: { version: readVersion() } };
  // Found out before any question, so that nobody answers three only to learn it.
  if (given.folder !== undefined) checkFree(readPlace(given.folder, surroundings.cwd).folder);
  const { folder: typed, connection, model } = await complete(given, words, surroundings);
  const { folder, name } = readPlace(typed, surroundings.cwd);
  const choices = { name, connection, model, locale: words.locale };
  const files = makeProject(choices);
  placeProject(folder, files);
  return {
    text: describeNext(choices, typed, words),
    json: { folder, name, connection, model, files: files.map(({ path }) => path).sort() },
  };
}

async function complete(given: Arguments, words: Words, { cwd, terminal }: Surroundings): Promise<Answers> {
  const { folder, connection, model, yes, json } = given;
  const isComplete = folder !== undefined && connection !== undefined && model !== undefined;
  if (!yes && !json && !isComplete && terminal !== undefined) {
    // Loaded only here, because the prompts are the slowest part of starting up.
    const { ask } = await import('./ask.ts');
    return ask({ given, cwd, words, terminal });
  }
  if (folder === undefined && !yes) throw createError('FOLDER_MISSING');
  return {
    folder: folder ?? DEFAULTS.folder,
    connection: connection ?? DEFAULTS.connection,
    model: model ?? DEFAULTS.model,
  };
}
