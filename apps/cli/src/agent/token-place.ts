import { CommandError } from '../command-error.ts';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting } from '../write-file.ts';
import { checkTokenFile, keepToken } from './keep-token.ts';
import { refuseSettings, writeSettings } from './settings-file.ts';

/** Where a token goes; without either, to the screen. */
export interface TokenPlace {
  /** A file with nothing but the token. */
  readonly tokenFile?: string;
  /** A file with all settings of the agent. */
  readonly settingsFile?: string;
}

interface NewToken {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly token: string;
}

export function placeToken(
  { baseUrl, agentId, token }: NewToken,
  { tokenFile, settingsFile }: TokenPlace,
  words: Words,
): Pick<ReturnType<typeof keepToken>, 'text'> & { readonly json: object } {
  if (settingsFile === undefined) return keepToken(token, tokenFile, words);
  writeSettings(settingsFile, { PARLEY_URL: baseUrl, PARLEY_AGENT_ID: agentId, PARLEY_AGENT_TOKEN: token });
  const text = () => `${words.say('agent.settings_file', { file: displayName(settingsFile) })}\n`;
  return { json: { settings_file: settingsFile }, text };
}

/** Checked before a token is created, because one that cannot be written is lost. */
export function checkTokenPlace({ tokenFile, settingsFile }: TokenPlace): void {
  if (tokenFile !== undefined && settingsFile !== undefined) {
    const params = { one: '--token-file', other: '--settings-file' };
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.not_both', params }] });
  }
  checkTokenFile(tokenFile);
  if (settingsFile !== undefined) refuseExisting(settingsFile, true);
}

/** An agent that the file already names would be forgotten, and its token with it. */
export function checkNewAgent({ settingsFile }: TokenPlace): void {
  if (settingsFile !== undefined) refuseSettings(settingsFile, ['PARLEY_AGENT_ID', 'PARLEY_AGENT_TOKEN']);
}
