import { formatAgentLink } from '@parley/client';
import { fromBase64Url, keyFingerprint } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { agentRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { findOwnAgent } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';

export interface LinkOptions {
  readonly url?: string;
  /** The fingerprint that the agent itself printed. */
  readonly fingerprint?: string;
}

/** Prints a link with the fingerprint of the agent’s key, so that people who follow it need not trust the server (EE-9). */
export async function linkAgent(named: string, options: LinkOptions, words: Words): Promise<CommandResult> {
  const baseUrl = chooseServer(options.url);
  const api = openAccountApi(baseUrl, 'parley');
  const agentId = await findOwnAgent(api, named);
  const { identity_key } = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
  const key = identity_key === null ? undefined : fromBase64Url(identity_key);
  if (key === undefined) throw new CommandError('NO_KEYS');
  const shown = keyFingerprint(nodeCrypto, { id: agentId, key });
  if (options.fingerprint !== undefined && options.fingerprint !== shown) {
    throw new CommandError('FINGERPRINT_DIFFERS');
  }
  const link = formatAgentLink({ agentId, fingerprint: shown }, baseUrl);
  const short = formatAgentLink({ agentId, fingerprint: shown });
  const verified = options.fingerprint !== undefined;
  return {
    exit: EXIT.fine,
    json: { link, app_link: short, fingerprint: shown, verified },
    text: () => `${link}\n${short}\n`,
    stderr: (paint) => (verified ? '' : `${paint('yellow', words.say('agent.link_unverified'))}\n`),
  };
}
