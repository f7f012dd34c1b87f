import { listStartErrors, readEnvironment, type Settings } from '@parley/app-server';
import type { ParleyError } from '@parley/base';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';

/** The same variables as the server's own, checked in the same way. */
export function readSettings(words: Words): Settings {
  try {
    return readEnvironment(process.env);
  } catch (error) {
    throw explainRefusal(error, words);
  }
}

/** The server's reasons in the words of its own tables. Any other error is returned unchanged. */
export function explainRefusal(error: unknown, words: Words): unknown {
  const errors = listStartErrors(error);
  if (errors === undefined) return error;
  const because = (reason: ParleyError) =>
    ({ key: 'server.because', params: { text: reason.explain(words.locale) } }) as const;
  return new CommandError(errors[0]?.code ?? 'NOT_STARTED', {
    exit: EXIT.environment,
    sentences: errors.map(because),
  });
}
