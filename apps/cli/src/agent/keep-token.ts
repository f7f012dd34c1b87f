import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { prepareSecretFile } from './secret-file.ts';

/** How a command says where a token is. */
export interface KeptToken {
  readonly json: object;
  readonly text: (paint: Paint) => string;
}

/**
 * A token is shown only once: it is written to a file that nobody else can read, or to the screen. The file is ready
 * before the token is created, because one that cannot be written is lost.
 */
export function prepareTokenFile(file: string | undefined, words: Words) {
  if (file === undefined) return { keep: (token: string) => showToken(token, words), discard: () => {} };
  const { keep, discard } = prepareSecretFile(file, 'PARLEY_AGENT_TOKEN');
  return {
    keep(token: string): KeptToken {
      keep(token);
      const text = () => `${words.say('agent.token_file', { file: displayName(file) })}\n`;
      return { json: { token_file: file }, text };
    },
    discard,
  };
}

function showToken(token: string, words: Words): KeptToken {
  const text = (paint: Paint) => `${words.say('agent.token', { token: paint('bold', displayName(token)) })}\n`;
  return { json: { token }, text };
}
