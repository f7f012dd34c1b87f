import { type AgentLink, type AgentSummary, type Device, parseAgentLink, type RelationView } from '@parley/client';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** As much of an agent as a list shows. */
export type Candidate = Pick<AgentSummary, 'agent_id' | 'name' | 'description' | 'highest_sensitivity'>;

export type Found =
  | { readonly kind: 'relation'; readonly relation: RelationView }
  | { readonly kind: 'link'; readonly link: AgentLink }
  | { readonly kind: 'several'; readonly agents: readonly Candidate[] }
  | { readonly kind: 'none' };

export const isActive = ({ status }: RelationView): boolean => status !== 'ended';

/** A link, an id, or a name: of an agent that was added, else of one that can be found. */
export async function findAgent(wish: string, device: Device): Promise<Found> {
  const relations = device.relations.getSnapshot().filter(isActive);
  const link = readLink(wish);
  if (link !== undefined) {
    const known = relations.find(({ agentId }) => agentId === link.agentId);
    return known === undefined ? { kind: 'link', link } : { kind: 'relation', relation: known };
  }
  const isNamed = (name: string) => name.toLocaleLowerCase() === wish.trim().toLocaleLowerCase();
  const own = relations.filter(({ agentName }) => isNamed(agentName));
  if (own.length === 1) return { kind: 'relation', relation: own[0]! };
  if (own.length > 1) return { kind: 'several', agents: own.map(toCandidate) };
  const { agents } = await device.agents.search({ q: wish.slice(0, 200), limit: '20' });
  const exact = agents.filter(({ name }) => isNamed(name));
  if (exact.length === 1) return { kind: 'link', link: { agentId: exact[0]!.agent_id } };
  if (exact.length > 1) return { kind: 'several', agents: exact };
  return agents.length === 0 ? { kind: 'none' } : { kind: 'several', agents };
}

function readLink(wish: string): AgentLink | undefined {
  if (ID.test(wish.trim())) return { agentId: wish.trim() };
  return wish.includes('://') ? parseAgentLink(wish) : undefined;
}

const toCandidate = ({ agentId, agentName }: RelationView): Candidate => ({
  agent_id: agentId,
  name: agentName,
  description: '',
  highest_sensitivity: null,
});
