import { CommandError } from '../command-error.ts';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting } from '../write-file.ts';
import { refuseSettings, writeSettings } from './env-file.ts';
import { checkTokenFile, keepToken } from './keep-token.ts';

/** Where a token goes; without either, to the screen. */
export interface TokenPlace {
  /** A file with nothing but the token. */
  readonly tokenFile?: string;
  /** A file with all settings of the agent. */
  readonly envFile?: string;
}

interface NewToken {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly token: string;
}

export function placeToken(
  { baseUrl, agentId, token }: NewToken,
  { tokenFile, envFile }: TokenPlace,
  words: Words,
): Pick<ReturnType<typeof keepToken>, 'text'> & { readonly json: object } {
  if (envFile === undefined) return keepToken(token, tokenFile, words);
  writeSettings(envFile, { PARLEY_URL: baseUrl, PARLEY_AGENT_ID: agentId, PARLEY_AGENT_TOKEN: token });
  const text = () => `${words.say('agent.env_file', { file: displayName(envFile) })}\n`;
  return { json: { env_file: envFile }, text };
}

/** Checked before a token is created, because one that cannot be written is lost. */
export function checkTokenPlace({ tokenFile, envFile }: TokenPlace): void {
  if (tokenFile !== undefined && envFile !== undefined) {
    const params = { one: '--token-file', other: '--env-file' };
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.not_both', params }] });
  }
  checkTokenFile(tokenFile);
  if (envFile !== undefined) refuseExisting(envFile, true);
}

/** An agent that the file already names would be forgotten, and its token with it. */
export function checkNewAgent({ envFile }: TokenPlace): void {
  if (envFile !== undefined) refuseSettings(envFile, ['PARLEY_AGENT_ID', 'PARLEY_AGENT_TOKEN']);
}
