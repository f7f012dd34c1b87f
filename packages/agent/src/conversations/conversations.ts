import type { Api, Store } from '@parley/messenger';
import { conversationRoutes } from '@parley/protocol';

export interface Conversation {
  readonly kind: 'h2a' | 'h2h' | 'group';
  /** Of `h2a`: who the agent talks to, and the relation between the two. */
  readonly person?: string;
  readonly relationId?: string;
}

/** A conversation of two never changes hands, so whom it is with is asked once and held to ever after. */
export class Conversations {
  readonly #api: Api;
  readonly #store: Store;
  readonly #known = new Map<string, Conversation>();

  constructor(api: Api, store: Store) {
    this.#api = api;
    this.#store = store;
  }

  async read(id: string): Promise<Conversation> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const saved = await this.#store.get(keyOf(id));
    const conversation = saved === undefined ? await this.#ask(id) : (JSON.parse(saved) as Conversation);
    // Whoever asked at the same time has been given the same, or comes second.
    const first = this.#known.get(id) ?? conversation;
    if (first.kind === 'h2a') {
      this.#known.set(id, first);
      if (saved === undefined) await this.#store.write(new Map([[keyOf(id), JSON.stringify(first)]]));
    }
    return first;
  }

  async #ask(id: string): Promise<Conversation> {
    const { kind, members, relation_id } = await this.#api.call(conversationRoutes.readConversation, {
      params: { conversation_id: id },
    });
    if (kind !== 'h2a') return { kind };
    const people = members.filter((member) => member.kind === 'human');
    if (people.length !== 1 || relation_id === undefined) throw new Error('conversation: not one of two');
    return { kind, person: people[0]!.id, relationId: relation_id };
  }
}

const keyOf = (id: string) => `agent/conversation/${id}`;
