import { type AgentDetails, type AgentLink, NETWORK_SCOPE, type RelationView } from '@parley/client';
import { preselectScopes, renderPreview } from '@parley/documents';
import type { ChatContext } from './chat-context.ts';
import { type Choosable, chooseScopes } from './choose-scopes.ts';

/** Asks for consent. The person agrees to exactly the text that was shown (RL-6). */
export async function addAgent(link: AgentLink, chat: ChatContext): Promise<RelationView | undefined> {
  const { device, screen, words, paint } = chat;
  for (;;) {
    const details = await device.agents.inspect(link);
    screen.print(formatAgent(details, chat));
    const { preview, manifestHash, agentId } = details;
    if (!details.identity.ok) {
      screen.print(paint('red', words.say(`chat.identity.${details.identity.problem}`)));
      return undefined;
    }
    if (preview === undefined || manifestHash === null) {
      screen.print(words.say('chat.consent.no_manifest'));
      return undefined;
    }
    const scopes = listScopes(details);
    const chosen = await chooseScopes(scopes, new Set(preselectScopes(preview)), chat);
    if (chosen === undefined) {
      screen.print(words.say('chat.consent.left'));
      return undefined;
    }
    try {
      const relation = await device.relations.add({ agentId, scopes: chosen, manifestHash });
      screen.print(`${paint('green', '✓')} ${words.say('chat.consent.added', { agent: details.name })}`);
      return relation;
    } catch (error) {
      if (!isChanged(error)) throw error;
      screen.print(paint('yellow', words.say('chat.consent.changed')));
    }
  }
}

export function isChanged(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'MANIFEST_CHANGED';
}

function formatAgent(details: AgentDetails, { words, paint }: ChatContext): string {
  const { name, description, ownerName, identity, mode, preview } = details;
  const lines = [
    paint('bold', words.say('chat.consent.title', { agent: name })),
    words.say('chat.consent.owner', { owner: ownerName }),
    ...(description === '' ? [] : [description]),
    '',
    ...(preview === undefined ? [] : [renderPreview(preview)]),
    ...(wantsNetwork(details) ? [words.say('chat.consent.network'), ''] : []),
    mode.weaker ? paint('yellow', mode.text) : mode.text,
  ];
  if (identity.ok) {
    const key = identity.verified ? 'chat.identity.verified' : 'chat.identity.first_contact';
    lines.push(words.say(key, { fingerprint: identity.fingerprint }));
  }
  return `${lines.join('\n')}\n`;
}

/** What the agent wrote cannot know on what device it is read (WC-17). */
const wantsNetwork = (details: AgentDetails) => listScopes(details).some(({ id }) => id === NETWORK_SCOPE);

function listScopes({ preview, requiredScopes }: AgentDetails): Choosable[] {
  return (preview?.groups ?? []).flatMap(({ sensitivity, scopes }) =>
    scopes.map(({ id, label }) => ({ id, label, level: sensitivity, required: requiredScopes.includes(id) })),
  );
}
