import { isParleyError } from '@parley/base';
import type { Api, Store } from '@parley/messenger';
import { conversationRoutes, type ReplyOf } from '@parley/protocol';

export type Invited = ReplyOf<typeof conversationRoutes.listInvitations>['invitations'][number];

/**
 * Who was invited into groups (AC-5). When someone accepts, the server says so, and a statement lets them in (EE-20): by
 * itself this device signs it only for whom it has invited itself. So a server that makes up an acceptance gets nobody in
 * whom no manager wanted there.
 */
export interface Invitations {
  invite(conversationId: string, accountId: string): Promise<void>;
  list(conversationId: string): Promise<readonly Invited[]>;
  withdraw(conversationId: string, invitationId: string): Promise<void>;
  /** Signs in whom this device has invited and who has accepted. */
  admit(): Promise<void>;
}

interface InvitationDeps {
  readonly api: Api;
  readonly store: Store;
  /** One of them could not be signed in. */
  onProblem(error: unknown): void;
  addMember(conversationId: string, accountId: string): Promise<void>;
}

const INVITED = 'client/invited/';
const keyOf = (conversationId: string, accountId: string) => `${INVITED}${conversationId}/${accountId}`;

export function createInvitations({ api, store, addMember, onProblem }: InvitationDeps): Invitations {
  const forget = (key: string) => store.write(new Map([[key, null]]));
  const list = async (conversationId: string): Promise<readonly Invited[]> => {
    const params = { conversation_id: conversationId };
    return (await api.call(conversationRoutes.listInvitations, { params })).invitations;
  };

  /** Whoever is no manager any more, or no member, can invite nobody. */
  async function listIfAllowed(conversationId: string): Promise<readonly Invited[]> {
    try {
      return await list(conversationId);
    } catch (error) {
      if (isParleyError(error, 'NOT_FOUND') || isParleyError(error, 'FORBIDDEN')) return [];
      throw error;
    }
  }

  async function admitOne(open: readonly Invited[], conversationId: string, accountId: string): Promise<void> {
    const invited = open.find(({ user_id }) => user_id === accountId);
    if (invited?.accepted) await addMember(conversationId, accountId);
    if (invited === undefined || invited.accepted) await forget(keyOf(conversationId, accountId));
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      onProblem(error);
      return undefined;
    }
  }

  return {
    list,
    async invite(conversationId, accountId) {
      await store.write(new Map([[keyOf(conversationId, accountId), '']]));
      const params = { conversation_id: conversationId };
      await api.call(conversationRoutes.inviteMember, { params, body: { user_id: accountId } });
    },
    async withdraw(conversationId, invitationId) {
      const invited = (await list(conversationId)).find(({ invitation_id }) => invitation_id === invitationId);
      if (invited !== undefined) await forget(keyOf(conversationId, invited.user_id));
      const params = { conversation_id: conversationId, invitation_id: invitationId };
      await api.call(conversationRoutes.withdrawInvitation, { params });
    },
    async admit() {
      const wanted = new Map<string, string[]>();
      for (const [key] of await store.list(INVITED)) {
        const [conversationId, accountId] = key.slice(INVITED.length).split('/') as [string, string];
        wanted.set(conversationId, [...(wanted.get(conversationId) ?? []), accountId]);
      }
      // One who cannot be signed in must not keep those after them out.
      for (const [conversationId, accountIds] of wanted) {
        const open = await attempt(() => listIfAllowed(conversationId));
        if (open === undefined) continue;
        for (const accountId of accountIds) await attempt(() => admitOne(open, conversationId, accountId));
      }
    },
  };
}
