import { conversationRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { ConversationKind } from '../types.ts';

export interface Conversation {
  readonly kind: ConversationKind;
  readonly members: readonly Member[];
}
interface Member {
  readonly kind: 'human' | 'agent';
  readonly id: string;
}

interface Deps {
  readonly api: Api;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly ownId: string;
}

/**
 * Who is in a conversation. Between two that never changes, so it is pinned: a server that puts a third one in, or
 * another in someone's place, would have everything sealed for them. Of a group the server says who is in it.
 */
export function createConversationFinder({ api, store, writeBuffer, ownId }: Deps) {
  const held = new Map<string, Conversation>();
  const recall = async (id: string): Promise<Conversation | undefined> => {
    const text = held.has(id) ? undefined : await store.get(`pin/conversation/${id}`);
    return held.get(id) ?? (text === undefined ? undefined : (JSON.parse(text) as Conversation));
  };

  return async (id: string): Promise<Conversation> => {
    const reply = await api.call(conversationRoutes.readConversation, { params: { conversation_id: id } });
    const offered: Conversation = { kind: reply.kind, members: reply.members.map(({ kind, id }) => ({ kind, id })) };
    const pinned = await recall(id);
    if (pinned === undefined) {
      if (!isPlausible(offered, ownId)) throw messengerError('CONVERSATION_CHANGED');
      const pin = offered.kind === 'group' ? { ...offered, members: [] } : offered;
      held.set(id, pin);
      writeBuffer.set(`pin/conversation/${id}`, JSON.stringify(pin));
      return offered;
    }
    if (pinned.kind !== offered.kind) throw messengerError('CONVERSATION_CHANGED');
    if (offered.kind === 'group') return offered;
    // One may have left; nobody comes.
    const isKnown = ({ kind, id }: Member) => pinned.members.some((member) => member.kind === kind && member.id === id);
    if (!offered.members.every(isKnown)) throw messengerError('CONVERSATION_CHANGED');
    return pinned;
  };
}

/** Two different ones, one of them us; in `h2a` a person and an agent. */
function isPlausible({ kind, members }: Conversation, ownId: string): boolean {
  if (kind === 'group') return true;
  const agents = members.filter((member) => member.kind === 'agent').length;
  const [one, other] = members;
  const isPair = members.length === 2 && one!.id !== other!.id && members.some(({ id }) => id === ownId);
  return isPair && agents === (kind === 'h2a' ? 1 : 0);
}
