import { agentRoutes } from '@parley/protocol';
import { openAccountApi } from '../account/api.ts';
import { findOwnAgent } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { prepareTokenPlace, type TokenPlace } from './token-place.ts';

export interface TokenOptions extends TokenPlace {
  readonly url?: string;
  /** The old tokens stay valid for this many seconds. */
  readonly overlap?: string;
}

/** Replaces the tokens of an agent by a new one. */
export async function rotateToken(named: string, options: TokenOptions, words: Words): Promise<CommandResult> {
  const { overlap = '0' } = options;
  if (!/^\d{1,5}$/.test(overlap)) {
    throw new CommandError('USAGE', { sentences: [{ key: 'usage.number', params: { name: '--overlap' } }] });
  }
  const baseUrl = chooseServer(options.url);
  const api = openAccountApi(baseUrl, 'parley');
  const agentId = await findOwnAgent(api, named);
  const place = prepareTokenPlace(options, { baseUrl, agentId }, words);
  try {
    const { token, token_id } = await api.call(agentRoutes.rotateToken, {
      params: { agent_id: agentId },
      body: { overlap_seconds: Number(overlap) },
    });
    const kept = place.keep({ agent_id: agentId, token });
    const note = words.say(overlap === '0' ? 'agent.token_old_ended' : 'agent.token_old_ends', { seconds: overlap });
    return {
      exit: EXIT.fine,
      json: { agent_id: agentId, token_id, ...kept.json },
      text: (paint) => `${kept.text(paint)}${note}\n`,
    };
  } finally {
    place.discard();
  }
}
