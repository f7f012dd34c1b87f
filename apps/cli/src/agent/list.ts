import { openAccountApi } from '../account/api.ts';
import { type OwnAgent, readOwnAgents } from '../account/own-agents.ts';
import { chooseServer } from '../account/server-url.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';

export async function listAgents(options: { readonly url?: string }, words: Words): Promise<CommandResult> {
  const agents = await readOwnAgents(openAccountApi(chooseServer(options.url), 'parley'));
  const text = (paint: Paint) => agents.map((agent) => formatAgent(agent, words, paint)).join('');
  return {
    exit: EXIT.fine,
    json: { agents },
    text: (paint) => (agents.length === 0 ? `${words.say('agent.none')}\n` : text(paint)),
  };
}

function formatAgent(agent: OwnAgent, words: Words, paint: Paint): string {
  const { name, agent_id, visibility, status, tools, capability_manifest_version: version } = agent;
  const facts = [
    words.say(`agent.visibility.${visibility}`),
    words.say(`agent.status.${status}`),
    words.say('agent.manifest', { version, tools: tools.length }),
  ];
  const line = facts.join(words.say('list.separator'));
  return `${paint('bold', displayName(name))}  ${line}\n  ${paint('dim', displayName(agent_id))}\n`;
}
