import { relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locale } from '@parley/base';
import { SIGNALS, waitForEnd } from './drain.ts';
import { readEnvironment } from './environment.ts';
import { ERRORS } from './errors.ts';
import { type Instance, startInstance } from './instance.ts';
import { listStartErrors, type StartProblem, toProblem } from './start-errors.ts';
import { say } from './texts.ts';
import { watchStart } from './waiting.ts';

/** What a server that was started in the background reports to the process that waits for it. */
export type Report =
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'refused'; readonly problems: readonly StartProblem[] };

const ENVIRONMENT = 3;
/** Without a database, some work never finishes. */
const CLOSE_MS = 5_000;

export interface RunOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly locale: Locale;
  /** Prints a line for the person who started it. */
  readonly tell: (line: string) => void;
  readonly complain: (text: string) => void;
}

/** Starts the server, serves until a signal, and gives the exit code. */
export async function run({ env, locale, tell, complain }: RunOptions): Promise<number> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const watch = watchStart(locale, (text) => {
    complain(text);
    report({ kind: 'waiting', text });
  });
  const starting = Promise.resolve().then(() => startInstance(readEnvironment(env), { signal, tell: watch.begin }));
  // Signals are handled from the beginning: one during the start must not leave a database behind.
  const ended = waitForEnd(starting, (error) => complain(String((error as Error)?.stack ?? error)));
  for (const name of SIGNALS) process.once(name, () => stopping.abort());
  try {
    const instance = await Promise.race([starting, ended]).finally(watch.end);
    if (typeof instance === 'number') return instance;
    greet(instance, { locale, tell });
    return await Promise.race([ended, endWithoutData(instance, { locale, complain })]);
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      tell(say('STOPPED_EARLY', locale));
      return 0;
    }
    const errors = listStartErrors(error);
    if (errors === undefined) throw error;
    report({ kind: 'refused', problems: errors.map(toProblem) });
    const reasons = errors.map((reason) => reason.explain(locale));
    complain([ERRORS.NOT_STARTED.text[locale], ...reasons].join('\n'));
    return ENVIRONMENT;
  }
}

/** Ends the server after its data was removed; whoever is connected is disconnected. */
async function endWithoutData(
  { lost, drain, stop }: Instance,
  { locale, complain }: Pick<RunOptions, 'locale' | 'complain'>,
): Promise<number> {
  complain(say('DATA_REMOVED', locale, { folder: await lost }));
  await Promise.race([drain().catch(() => {}), sleep(CLOSE_MS)]);
  await stop().catch(() => {});
  return ENVIRONMENT;
}

function greet(
  { url, page, log, operator, isFirstStart }: Instance,
  { locale, tell }: Pick<RunOptions, 'locale' | 'tell'>,
): void {
  report({ kind: 'ready', url });
  const params = log === undefined ? { url: page } : { url: page, log: nearby(log) };
  tell(say(log === undefined ? 'RUNNING' : 'RUNNING_LOG', locale, params));
  if (isFirstStart) tell(say('WELCOME', locale));
  if (operator === undefined) return;
  // What is no terminal may be a log, which others read.
  if (process.stdout.isTTY) tell(say('OPERATOR_LINK', locale, { link: operator.link }));
  else tell(say('OPERATOR_FILE', locale, { file: nearby(operator.file) }));
}

function nearby(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function report(message: Report): void {
  if (process.send === undefined || !process.connected) return;
  process.send(message, () => {
    if (message.kind !== 'waiting' && process.connected) process.disconnect();
  });
}
