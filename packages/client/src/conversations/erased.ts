import type { Store } from '@parley/messenger';
import { cardOf } from './cards.ts';
import type { ChatMessage } from './message.ts';

/** Which messages the person has deleted on this device. What is left of them only keeps them from coming again (WC-37). */
export interface Erased {
  has(message: ChatMessage): boolean;
  /** What to write together with the removal of the message. */
  add(message: ChatMessage): ReadonlyMap<string, string>;
}

const PREFIX = 'client/erased/';

export async function loadErased(store: Store): Promise<Erased> {
  const known = new Set((await store.list(PREFIX)).map(([key]) => key));
  return {
    has: (message) => namesOf(message).some((name) => known.has(name)),
    add(message) {
      const names = namesOf(message);
      for (const name of names) known.add(name);
      return new Map(names.map((name) => [name, '1']));
    },
  };
}

/** A card that was deleted would come back with its next revision, which is a message of its own. */
function namesOf({ conversationId, sender, clientMessageId, payload }: ChatMessage): string[] {
  const folder = `${PREFIX}${conversationId}/${sender.kind}/${sender.id}/`;
  const card = cardOf(payload);
  const names = [`${folder}message/${clientMessageId}`];
  return card === undefined ? names : [...names, `${folder}card/${card.artifact_id}`];
}
