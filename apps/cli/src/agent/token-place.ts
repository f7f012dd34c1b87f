import { CommandError } from '../command-error.ts';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import { type KeptToken, prepareTokenFile } from './keep-token.ts';
import { checkPlain } from './plain-value.ts';
import { prepareSettings } from './settings-file.ts';

/** Where a token goes; without either, to the screen. */
export interface TokenPlace {
  /** A file with nothing but the token. */
  readonly tokenFile?: string;
  /** A file with all settings of the agent. */
  readonly settingsFile?: string;
}

interface Agent {
  readonly baseUrl: string;
  /** Unknown for a new agent. */
  readonly agentId?: string;
}

interface NewToken {
  readonly agent_id: string;
  readonly token: string;
}

interface PreparedPlace {
  keep(reply: NewToken): KeptToken;
  /** Has to be called in any case. */
  discard(): void;
}

/** The place is ready before a token is created, because one that cannot be written is lost. */
export function prepareTokenPlace(
  { tokenFile, settingsFile }: TokenPlace,
  { baseUrl, agentId }: Agent,
  words: Words,
): PreparedPlace {
  if (tokenFile !== undefined && settingsFile !== undefined) {
    const params = { one: '--token-file', other: '--settings-file' };
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.not_both', params }] });
  }
  if (settingsFile === undefined) {
    const { keep, discard } = prepareTokenFile(tokenFile, words);
    return { keep: ({ token }) => keep(token), discard };
  }
  checkPlain('PARLEY_URL', baseUrl);
  if (agentId !== undefined) checkPlain('PARLEY_AGENT_ID', agentId);
  const settings = prepareSettings(settingsFile, agentId);
  return {
    keep({ agent_id, token }) {
      settings.write({ PARLEY_URL: baseUrl, PARLEY_AGENT_ID: agent_id, PARLEY_AGENT_TOKEN: token });
      const text = () => `${words.say('agent.settings_file', { file: displayName(settingsFile) })}\n`;
      return { json: { settings_file: settingsFile }, text };
    },
    discard: settings.discard,
  };
}
