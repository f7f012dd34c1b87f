import { createObservable, type Readable } from '@parley/base';
import type { Api, Store } from '@parley/messenger';
import { type BodyOf, type ReplyOf, contactRoutes as routes } from '@parley/protocol';
import { readPages } from '../pages.ts';

export type Contact = ReplyOf<typeof routes.listContacts>['contacts'][number];
type Requests = ReplyOf<typeof routes.listContactRequests>;
export type IncomingRequest = Requests['incoming'][number];
export type OutgoingRequest = Requests['outgoing'][number];
export type GroupInvitation = ReplyOf<typeof routes.listOwnInvitations>['invitations'][number];

/** First contact, as the server tells it (AC-4). Names are what others call themselves. */
export interface ContactsSnapshot {
  /** False until the server was asked once. */
  readonly loaded: boolean;
  readonly contacts: readonly Contact[];
  readonly incoming: readonly IncomingRequest[];
  readonly outgoing: readonly OutgoingRequest[];
  readonly blocked: readonly Contact[];
  readonly invitations: readonly GroupInvitation[];
}

export interface Contacts extends Readable<ContactsSnapshot> {
  sync(): Promise<void>;
  /** One's own contact code, without hyphens. */
  code(): Promise<string>;
  replaceCode(): Promise<string>;
  /** Asks someone. Returns the contact if they are one already, or had asked themselves. */
  ask(named: BodyOf<typeof routes.askContact>): Promise<Contact | undefined>;
  /** Returns the conversation with the new contact. */
  accept(requestId: string): Promise<string>;
  decline(requestId: string): Promise<void>;
  block(accountId: string): Promise<void>;
  unblock(accountId: string): Promise<void>;
  /** In a group whose members are signed, one is in it when a manager has signed: `joined` is false until then. */
  acceptInvitation(invitationId: string): Promise<{ readonly conversationId: string; readonly joined: boolean }>;
  declineInvitation(invitationId: string): Promise<void>;
}

export interface OpenContacts extends Contacts {
  /** Known on disk: what the blocked wrote may come before the server can be asked. */
  isBlocked(accountId: string): boolean;
}

interface ContactsDeps {
  readonly api: Api;
  readonly store: Store;
  startWithPerson(accountId: string): Promise<string>;
  syncConversations(): Promise<void>;
}

const BLOCKED = 'client/blocked';
const NOTHING: ContactsSnapshot = {
  loaded: false,
  contacts: [],
  incoming: [],
  outgoing: [],
  blocked: [],
  invitations: [],
};

export async function loadContacts({ api, store, ...deps }: ContactsDeps): Promise<OpenContacts> {
  const shown = createObservable<ContactsSnapshot>(NOTHING);
  let blockedIds = new Set(JSON.parse((await store.get(BLOCKED)) ?? '[]') as string[]);

  async function readContacts(): Promise<Contact[]> {
    const all: Contact[] = [];
    for await (const { contacts } of readPages((query) => api.call(routes.listContacts, { query }))) {
      all.push(...contacts);
    }
    return all;
  }

  async function sync(): Promise<void> {
    const [contacts, { incoming, outgoing }, { blocked }, { invitations }] = await Promise.all([
      readContacts(),
      api.call(routes.listContactRequests),
      api.call(routes.listBlocked),
      api.call(routes.listOwnInvitations),
    ]);
    blockedIds = new Set(blocked.map(({ user_id }) => user_id));
    await store.write(new Map([[BLOCKED, JSON.stringify([...blockedIds])]]));
    shown.set({ loaded: true, contacts, incoming, outgoing, blocked, invitations });
  }
  const then = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    await sync();
    return done;
  };

  return {
    getSnapshot: shown.getSnapshot,
    subscribe: shown.subscribe,
    sync,
    isBlocked: (accountId) => blockedIds.has(accountId),
    code: async () => (await api.call(routes.readContactCode)).code,
    replaceCode: async () => (await api.call(routes.replaceContactCode)).code,
    async ask(named) {
      const { contact } = await then(api.call(routes.askContact, { body: named }));
      return contact ?? undefined;
    },
    async accept(requestId) {
      const contact = await then(api.call(routes.acceptContact, { params: { request_id: requestId } }));
      return deps.startWithPerson(contact.user_id);
    },
    async decline(requestId) {
      await then(api.call(routes.declineContact, { params: { request_id: requestId } }));
    },
    async block(accountId) {
      await then(api.call(routes.blockAccount, { body: { user_id: accountId } }));
    },
    async unblock(accountId) {
      await then(api.call(routes.unblockAccount, { params: { user_id: accountId } }));
    },
    async acceptInvitation(invitationId) {
      const params = { invitation_id: invitationId };
      const { conversation_id, joined } = await then(api.call(routes.acceptInvitation, { params }));
      if (joined) await deps.syncConversations();
      return { conversationId: conversation_id, joined };
    },
    async declineInvitation(invitationId) {
      await then(api.call(routes.declineInvitation, { params: { invitation_id: invitationId } }));
    },
  };
}
