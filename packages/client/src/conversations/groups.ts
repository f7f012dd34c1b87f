import type { Api, Messenger } from '@parley/messenger';
import { type BodyOf, conversationRoutes, type ReplyOf } from '@parley/protocol';

export type ConversationDetail = ReplyOf<typeof conversationRoutes.readConversation>;
type Member = { readonly kind: 'human' | 'agent'; readonly id: string };

/** Who is in a conversation (EE-12). */
export interface Groups {
  detail(conversationId: string): Promise<ConversationDetail>;
  startWithPerson(accountId: string): Promise<string>;
  startGroup(title: string, members: readonly Member[]): Promise<string>;
  addMember(conversationId: string, member: BodyOf<typeof conversationRoutes.addMember>): Promise<ConversationDetail>;
  removeMember(conversationId: string, memberId: string): Promise<void>;
}

interface GroupDeps {
  readonly api: Api;
  readonly messenger: Pick<Messenger, 'refresh'>;
  /** Reads the list of conversations again: there is a new one. */
  sync(): Promise<void>;
}

export function createGroups({ api, messenger, sync }: GroupDeps): Groups {
  async function start(body: BodyOf<typeof conversationRoutes.startConversation>): Promise<string> {
    const { conversation_id } = await api.call(conversationRoutes.startConversation, { body });
    await sync();
    return conversation_id;
  }

  return {
    detail: (conversationId) =>
      api.call(conversationRoutes.readConversation, { params: { conversation_id: conversationId } }),
    startWithPerson: (accountId) => start({ kind: 'h2h', members: [{ kind: 'human', id: accountId }] }),
    startGroup: (title, members) => start({ kind: 'group', title, members: [...members] }),
    async addMember(conversationId, member) {
      const params = { conversation_id: conversationId };
      const detail = await api.call(conversationRoutes.addMember, { params, body: member });
      messenger.refresh({ kind: 'conversation', id: conversationId });
      return detail;
    },
    async removeMember(conversationId, memberId) {
      const params = { conversation_id: conversationId, member_id: memberId };
      await api.call(conversationRoutes.removeMember, { params });
      messenger.refresh({ kind: 'conversation', id: conversationId });
    },
  };
}
