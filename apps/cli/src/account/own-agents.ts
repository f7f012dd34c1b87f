import { isId } from '@parley/base';
import { readPages } from '@parley/client';
import type { Api } from '@parley/messenger';
import { agentRoutes, type ReplyOf } from '@parley/protocol';
import { CommandError } from '../command-error.ts';

export type OwnAgent = ReplyOf<typeof agentRoutes.searchAgents>['agents'][number];

export async function readOwnAgents(api: Api): Promise<OwnAgent[]> {
  const agents: OwnAgent[] = [];
  const pages = readPages((page) =>
    api.call(agentRoutes.searchAgents, { query: { mine: 'true', limit: '100', ...page } }),
  );
  for await (const page of pages) agents.push(...page.agents);
  return agents;
}

/** The id of one of the person's own agents, which they named by its id or its name. */
export async function findOwnAgent(api: Api, named: string): Promise<string> {
  if (isId(named)) return named;
  const found = (await readOwnAgents(api)).filter(({ name }) => name === named);
  if (found.length === 1) return found[0]!.agent_id;
  if (found.length === 0) throw new CommandError('AGENT_UNKNOWN');
  const candidates = found.map(
    ({ name, agent_id: id }) => ({ key: 'chat.find.candidate', params: { name, id } }) as const,
  );
  throw new CommandError('AGENT_UNKNOWN', { sentences: [{ key: 'chat.find.several' }, ...candidates] });
}
