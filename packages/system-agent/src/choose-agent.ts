import { displayText } from '@parley/documents';
import type { OwnAgent } from './tools.ts';
import type { Turn } from './turn.ts';

const MAX_NAMES = 10;

/** Finds the agent that is meant, and asks where several could be. It looks only at those the person owns. */
export async function chooseAgent(
  turn: Turn,
  name: string | undefined,
  goOn: (agent: OwnAgent) => Promise<void>,
): Promise<void> {
  const { texts } = turn;
  const { agents } = await turn.tools.listAgents();
  if (agents.length === 0) return turn.say(texts.noAgents);
  const found = name === undefined ? agents : matchAgents(agents, name);
  if (found.length === 0) {
    const yours = agents.slice(0, MAX_NAMES).map((agent) => displayText(agent.name));
    if (agents.length > MAX_NAMES) yours.push('…');
    return turn.say(texts.noSuchAgent(displayText(name!), yours.join(', ')));
  }
  if (found.length === 1 && name !== undefined) return goOn(found[0]!);
  const options = found.slice(0, 100).map((agent) => ({
    value: agent.agent_id,
    // Agents may share a name, so the label has a part of the id.
    label: `${displayText(agent.name)} · ${agent.agent_id.slice(-8)}`,
  }));
  const blocks = [{ tag: 'select', id: 'agent', label: texts.agent, required: true, options } as const];
  await turn.ask({ kind: 'form', title: texts.whichAgent, blocks, go: texts.choose }, async ({ agent: chosen }) => {
    const one = found.find(({ agent_id }) => agent_id === chosen);
    return one === undefined ? turn.say(texts.cancelled) : goOn(one);
  });
}

/** Matches the whole name if possible, a part of it otherwise. */
function matchAgents<Item extends { readonly name: string }>(agents: readonly Item[], name: string): Item[] {
  const wanted = fold(name);
  const same = agents.filter((agent) => fold(agent.name) === wanted);
  return same.length > 0 ? same : agents.filter((agent) => fold(agent.name).includes(wanted));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '');
}
