import { isId } from '@parley/base';
import { type AgentLink, type AgentSummary, type Device, parseAgentLink, type RelationView } from '@parley/client';

/** The part of an agent that a list shows. */
export type Candidate = Pick<AgentSummary, 'agent_id' | 'name' | 'description' | 'highest_sensitivity'>;

export type Found =
  | { readonly kind: 'relation'; readonly relation: RelationView }
  | { readonly kind: 'link'; readonly link: AgentLink }
  | { readonly kind: 'several'; readonly agents: readonly Candidate[] }
  | { readonly kind: 'none' };

export const isActive = ({ status }: RelationView): boolean => status !== 'ended';

/**
 * Finds an agent by link, id or name. Agents that the person has added or owns come before public ones, so that a
 * stranger's agent of the same name is never chosen instead.
 */
export async function findAgent(query: string, device: Device): Promise<Found> {
  const relations = device.relations.getSnapshot().filter(isActive);
  const link = readLink(query);
  if (link !== undefined) {
    const known = relations.find(({ agentId }) => agentId === link.agentId);
    return known === undefined ? { kind: 'link', link } : { kind: 'relation', relation: known };
  }
  const isNamed = (name: string) => name.toLocaleLowerCase() === query.trim().toLocaleLowerCase();
  const choose = (agents: readonly Candidate[]): Found => {
    if (agents.length !== 1) return agents.length === 0 ? { kind: 'none' } : { kind: 'several', agents };
    const { agent_id: agentId } = agents[0]!;
    const relation = relations.find((one) => one.agentId === agentId);
    return relation === undefined ? { kind: 'link', link: { agentId } } : { kind: 'relation', relation };
  };
  const added = relations.filter(({ agentName }) => isNamed(agentName)).map(toCandidate);
  const filter = { q: query.slice(0, 200), limit: '20' } as const;
  const mine = await device.agents.search({ ...filter, mine: 'true' }).catch((error: unknown) => {
    // An agent that was added can be opened offline.
    if (added.length === 0) throw error;
    return { agents: [] };
  });
  const near = choose(withoutDoubles([...added, ...mine.agents.filter(({ name }) => isNamed(name))]));
  if (near.kind !== 'none') return near;
  const { agents } = await device.agents.search(filter);
  const exact = choose(agents.filter(({ name }) => isNamed(name)));
  if (exact.kind !== 'none') return exact;
  const similar = withoutDoubles([...mine.agents, ...agents]);
  return similar.length === 0 ? { kind: 'none' } : { kind: 'several', agents: similar };
}

const withoutDoubles = (agents: readonly Candidate[]): Candidate[] =>
  [...new Map(agents.toReversed().map((agent) => [agent.agent_id, agent])).values()].toReversed();

function readLink(query: string): AgentLink | undefined {
  if (isId(query.trim())) return { agentId: query.trim() };
  return query.includes('://') ? parseAgentLink(query) : undefined;
}

const toCandidate = ({ agentId, agentName }: RelationView): Candidate => ({
  agent_id: agentId,
  name: agentName,
  description: '',
  highest_sensitivity: null,
});
