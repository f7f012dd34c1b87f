import { displayText } from '@parley/documents';
import type { Block, Turn } from './turn.ts';

export async function listAgents(turn: Turn): Promise<void> {
  const { words } = turn;
  const { agents, more } = await turn.tools.listAgents();
  if (agents.length === 0) return turn.say(words.noAgents);
  const rows = agents.map((agent) => [
    displayText(agent.name),
    agent.manifest_version === 0 ? words.noManifest : words.version(agent.manifest_version),
    displayText(agent.connection_mode),
    agent.visibility === 'public' ? words.public : words.private,
    stateOf(turn, agent.status),
  ]);
  await turn.show(words.agentsTitle, table(turn, words.agentColumns, { rows, more }));
}

export async function listRelations(turn: Turn): Promise<void> {
  const { words } = turn;
  const { relations, more } = await turn.tools.listRelations();
  if (relations.length === 0) return turn.say(words.noRelations);
  const rows = relations.map(({ agent_name, granted_scopes, granted, pending, status }) => {
    const scopes = granted === 0 ? words.nothing : displayText(granted_scopes.join(', '));
    const state = stateOf(turn, status);
    return [displayText(agent_name), scopes, pending > 0 ? `${state}, ${words.pending(pending)}` : state];
  });
  await turn.show(words.relationsTitle, table(turn, words.relationColumns, { rows, more }));
}

function table(turn: Turn, columns: readonly string[], { rows, more }: { rows: string[][]; more: boolean }): Block[] {
  const list: Block = { tag: 'table', columns: [...columns], rows };
  return more ? [list, { tag: 'text', text: turn.words.more }] : [list];
}

function stateOf({ words }: Turn, status: string): string {
  return Object.hasOwn(words.states, status) ? words.states[status]! : displayText(status);
}
