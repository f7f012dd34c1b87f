import { isParleyError, type Locale, type ParleyError } from '@parley/base';
import { CommandError, type Sentence } from './command-error.ts';
import { displayName, displaySentence } from './display.ts';
import { EXIT } from './exit-code.ts';

/** Codes of other packages that are about this machine, the network or a busy server, not about what was asked. */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'REPLY_INVALID',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
  'STORE_HELD',
  'STORE_BUSY',
  'STORE_LOST',
  'STORE_EXPOSED',
  'STORE_NOT_OURS',
  'STORE_DAMAGED',
  'STORE_FAILED',
  'STORE_CLOSED',
  'DATABASE_UNREACHABLE',
  'KEYRING_UNSAFE',
  'KEYRING_INVALID',
  'WORKSPACE_BUSY',
  'MIRROR_UNAVAILABLE',
]);

/** What to do about it, where only the command line knows. */
const HINTS: Readonly<Record<string, Sentence>> = { OTHER_ACCOUNT: { key: 'device.forget_first' } };

export interface ErrorContext {
  readonly locale: Locale;
  /** The program that the person called: `parley` or `roleos`. */
  readonly program: string;
}

/** The sentence of an error of ours, fit to be shown: whatever others wrote in it is harmless. */
export function explainError(error: ParleyError, locale: Locale): string {
  return error.explain(locale, (value, name) => {
    return name === 'text' ? displaySentence(String(value)) : displayName(String(value));
  });
}

/** Any error as what a command says and ends with. One that nobody foresaw is a mistake of ours. */
export function toCommandError(error: unknown, context: ErrorContext): CommandError {
  if (error instanceof CommandError) return error;
  if (isParleyError(error)) return fromCode(error.code, explainError(error, context.locale), context);
  if (!(error instanceof Error)) return toInternal(String(error));
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const isAboutFile = code !== undefined && syscall !== undefined && path !== undefined;
  return isAboutFile ? fromSystem(code, path) : toInternal(error.message);
}

function fromCode(code: string, text: string, { program }: ErrorContext): CommandError {
  if (code === 'UNAUTHENTICATED') {
    const params = { command: `${program} login` };
    return new CommandError('NOT_SIGNED_IN', { sentences: [{ key: 'account.expired', params }] });
  }
  const hint = Object.hasOwn(HINTS, code) ? [HINTS[code]!] : [];
  return new CommandError(code, {
    exit: ENVIRONMENT.has(code) ? EXIT.environment : EXIT.bad,
    sentences: [{ key: 'error.text', params: { text } }, ...hint],
  });
}

function fromSystem(code: string, path: string): CommandError {
  if (code !== 'ENOENT') return new CommandError('FILE_UNUSABLE', { params: { file: path, reason: code } });
  return new CommandError('FOLDER_NOT_FOUND', { sentences: [{ key: 'bundle.no_folder', params: { file: path } }] });
}

function toInternal(reason: string): CommandError {
  return new CommandError('INTERNAL', { exit: EXIT.environment, sentences: [{ key: 'internal', params: { reason } }] });
}
