import { isParleyError, type Locale, type ParleyError } from '@parley/base';
import { CommandError, type Sentence } from './command-error.ts';
import { displayName, displaySentence } from './display.ts';
import { EXIT } from './exit-code.ts';
import { ownCommand } from './own-command.ts';

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

/** What to do about it, where only the command line knows. Never for what a server says. */
const HINTS: Readonly<Record<string, Sentence>> = {
  OTHER_ACCOUNT: { key: 'device.forget_first' },
  LIST_FORKED: { key: 'account.settle_hint' },
};

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
  if (isParleyError(error)) return fromParleyError(error, context);
  if (!(error instanceof Error)) return toInternal(String(error));
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const isAboutFile = code !== undefined && syscall !== undefined && path !== undefined;
  return isAboutFile ? fromSystem(code, path) : toInternal(error.message);
}

function fromParleyError(error: ParleyError, { program, locale }: ErrorContext): CommandError {
  const { code } = error;
  if (code === 'UNAUTHENTICATED') {
    const params = { command: ownCommand(`${program} login`) };
    return new CommandError('NOT_SIGNED_IN', { sentences: [{ key: 'account.expired', params }] });
  }
  // Whoever asks with the keys of a device that was removed is told how to come back.
  if (code === 'DEVICE_REVOKED') return new CommandError(code, { sentences: [{ key: 'device.was_revoked' }] });
  const status = 'status' in error ? error.status : undefined;
  const hint = status === undefined && Object.hasOwn(HINTS, code) ? [HINTS[code]!] : [];
  const isEnvironment = ENVIRONMENT.has(code) || (typeof status === 'number' && status >= 500);
  return new CommandError(code, {
    exit: isEnvironment ? EXIT.environment : EXIT.bad,
    sentences: [{ key: 'error.text', params: { text: explainError(error, locale) } }, ...hint],
  });
}

function fromSystem(code: string, path: string): CommandError {
  if (code === 'ENOENT') return new CommandError('FILE_NOT_FOUND', { params: { file: path } });
  return new CommandError('FILE_UNUSABLE', { params: { file: path, reason: code } });
}

function toInternal(reason: string): CommandError {
  return new CommandError('INTERNAL', { exit: EXIT.environment, sentences: [{ key: 'internal', params: { reason } }] });
}
