import { type Problem, Refusal, readEnvironment, type Settings, say } from '@parley/app-server';
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

/** The server's reasons in the words of its own tables. Anything else is a mistake of ours and goes on as it is. */
export function explainRefusal(error: unknown, words: Words): unknown {
  if (!(error instanceof Refusal)) return error;
  const because = ({ code, params }: Problem) =>
    ({ key: 'server.because', params: { text: say(code, words.locale, params) } }) as const;
  return new CommandError(error.problems[0]?.code ?? 'REFUSED', {
    exit: EXIT.environment,
    sentences: [...error.problems.map(because)],
  });
}
