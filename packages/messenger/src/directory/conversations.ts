import { conversationRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Conversation } from '../types.ts';

type Member = Conversation['members'][number];

interface Deps {
  readonly api: Api;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly ownId: string;
}

export interface ConversationFinder {
  /** As the server shows it now, which must agree with the pin. Rejects with CONVERSATION_CHANGED. */
  find(id: string): Promise<Conversation>;
  /** The pin of a conversation of two; undefined for a group, and before the first `find`. */
  pinned(id: string): Promise<Conversation | undefined>;
}

/**
 * Who is in a conversation. Between two that never changes, so it is pinned: a server that puts a third one in, or
 * another in someone's place, would have everything sealed for them; and one that names another relation could show
 * another ledger (RL-10). Of a group the server says who is in it.
 */
export function createConversationFinder({ api, store, writeBuffer, ownId }: Deps): ConversationFinder {
  const pins = new Map<string, Conversation>();

  const load = async (id: string): Promise<Conversation | undefined> => {
    const known = pins.get(id);
    if (known !== undefined) return known;
    const saved = parse<Conversation>(await store.get(keyOf(id)));
    const pin = saved?.kind === 'group' || saved?.relationId !== undefined ? saved : await mergeOldPin(id, saved);
    // Someone may have pinned while it was read.
    const first = pins.get(id) ?? pin;
    if (first !== undefined) pins.set(id, first);
    return first;
  };
  /** Agents used to pin the relation, and whom it is with, under a key of their own. */
  const mergeOldPin = async (id: string, saved: Conversation | undefined): Promise<Conversation | undefined> => {
    const old = parse<OldPin>(await store.get(`agent/conversation/${id}`));
    if (old?.kind !== 'h2a') return saved;
    const person: Member = { kind: 'human', id: old.person };
    if (saved !== undefined && !includes(saved.members, person)) throw messengerError('CONVERSATION_CHANGED');
    const members = saved?.members ?? [person, { kind: 'agent', id: ownId }];
    return { kind: 'h2a', members, relationId: old.relationId };
  };
  const pin = (id: string, conversation: Conversation): Conversation => {
    pins.set(id, conversation);
    writeBuffer.set(keyOf(id), JSON.stringify(conversation));
    return conversation;
  };

  return {
    find: async (id) => {
      const reply = await api.call(conversationRoutes.readConversation, { params: { conversation_id: id } });
      const relation = reply.relation_id === undefined ? {} : { relationId: reply.relation_id };
      const members = reply.members.map(({ kind, id }) => ({ kind, id }));
      const offered: Conversation = { kind: reply.kind, members, ...relation };
      // Another `find` may have pinned while this one looked.
      const pinned = (await load(id)) ?? pins.get(id);
      if (pinned === undefined) {
        if (!isPlausible(offered, ownId)) throw messengerError('CONVERSATION_CHANGED');
        pin(id, offered.kind === 'group' ? { ...offered, members: [] } : offered);
        return offered;
      }
      if (pinned.kind !== offered.kind) throw messengerError('CONVERSATION_CHANGED');
      if (offered.kind === 'group') return offered;
      // One may have left; nobody comes.
      if (!members.every((member) => includes(pinned.members, member))) throw messengerError('CONVERSATION_CHANGED');
      return pinned.relationId === undefined && offered.relationId !== undefined
        ? pin(id, { ...pinned, ...relation })
        : pinned;
    },
    pinned: async (id) => {
      const known = pins.get(id) ?? (await load(id));
      if (known === undefined || known.kind === 'group') return undefined;
      return known.kind === 'h2a' && known.relationId === undefined ? undefined : known;
    },
  };
}

interface OldPin {
  readonly kind: string;
  readonly person: string;
  readonly relationId: string;
}

const keyOf = (id: string) => `pin/conversation/${id}`;

const parse = <T>(text: string | undefined): T | undefined => (text === undefined ? undefined : JSON.parse(text));

const includes = (members: readonly Member[], { kind, id }: Member) =>
  members.some((member) => member.kind === kind && member.id === id);

/** Two different ones, one of them us; in `h2a` a person and an agent. */
function isPlausible({ kind, members }: Conversation, ownId: string): boolean {
  if (kind === 'group') return true;
  const agents = members.filter((member) => member.kind === 'agent').length;
  const [one, other] = members;
  const isPair = members.length === 2 && one!.id !== other!.id && members.some(({ id }) => id === ownId);
  return isPair && agents === (kind === 'h2a' ? 1 : 0);
}
