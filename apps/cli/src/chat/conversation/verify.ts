import type { RelationView } from '@parley/client';
import type { ChatContext } from './chat-context.ts';
import { isYes } from './review.ts';

/** Shows the sixty digits that both sides compare without the server (EE-9). */
export async function verifyIdentity(relation: RelationView, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  const party = { kind: 'agent', id: relation.agentId } as const;
  const changed = device.problems
    .getSnapshot()
    .filter(({ over }) => over === undefined)
    .map(({ problem }) => problem)
    .find((problem) => problem.kind === 'identity_changed' && problem.party.id === relation.agentId);
  if (changed?.kind === 'identity_changed') {
    screen.print(paint('red', words.say('chat.verify.changed', { agent: relation.agentName })));
    screen.print(words.say('chat.verify.keys', { known: changed.known, offered: changed.offered }));
    if (!isYes(await screen.ask({ label: `${words.say('chat.verify.confirm')} ` }))) return;
    await device.identities.confirm(party, changed.offered);
    screen.print(`${paint('green', '✓')} ${words.say('chat.verify.confirmed')}`);
  }
  const number = await device.identities.safetyNumber(party);
  screen.print(
    `${words.say('chat.verify.number', { agent: relation.agentName })}\n${paint('bold', formatNumber(number))}`,
  );
  if (relation.identity?.verified) return screen.print(words.say('chat.verify.already'));
  if (!isYes(await screen.ask({ label: `${words.say('chat.verify.same')} ` }))) return;
  await device.identities.markVerified(party);
  screen.print(`${paint('green', '✓')} ${words.say('chat.verify.marked')}`);
}

/** Formats groups of five digits, four per line, so that two people can read them to each other. */
function formatNumber(number: string): string {
  const groups = number.replaceAll(/\D/g, '').match(/\d{1,5}/g) ?? [];
  const rows = Array.from({ length: Math.ceil(groups.length / 4) }, (_, row) => groups.slice(row * 4, row * 4 + 4));
  return rows.map((row) => `  ${row.join(' ')}`).join('\n');
}
