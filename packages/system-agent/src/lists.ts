import { displayText } from '@parley/documents';
import type { Block, Turn } from './turn.ts';

export async function listAgents(turn: Turn): Promise<void> {
  const { texts } = turn;
  const { agents, more } = await turn.tools.listAgents();
  if (agents.length === 0) return turn.say(texts.noAgents);
  const rows = agents.map((agent) => [
    displayText(agent.name),
    agent.manifest_version === 0 ? texts.noManifest : texts.version(agent.manifest_version),
    displayText(agent.connection_mode),
    agent.visibility === 'public' ? texts.public : texts.private,
    stateOf(turn, agent.status),
  ]);
  await turn.show(texts.agentsTitle, table(turn, texts.agentColumns, { rows, more }));
}

export async function listRelations(turn: Turn): Promise<void> {
  const { texts } = turn;
  const { relations, more } = await turn.tools.listRelations();
  if (relations.length === 0) return turn.say(texts.noRelations);
  const rows = relations.map(({ agent_name, granted_scopes, granted, pending, status }) => {
    const scopes = granted === 0 ? texts.nothing : displayText(granted_scopes.join(', '));
    const state = stateOf(turn, status);
    return [displayText(agent_name), scopes, pending > 0 ? `${state}, ${texts.pending(pending)}` : state];
  });
  await turn.show(texts.relationsTitle, table(turn, texts.relationColumns, { rows, more }));
}

function table(turn: Turn, columns: readonly string[], { rows, more }: { rows: string[][]; more: boolean }): Block[] {
  const list: Block = { tag: 'table', columns: [...columns], rows };
  return more ? [list, { tag: 'text', text: turn.texts.more }] : [list];
}

function stateOf({ texts }: Turn, status: string): string {
  return Object.hasOwn(texts.states, status) ? texts.states[status]! : displayText(status);
}
