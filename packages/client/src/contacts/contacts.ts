import { createObservable, type Readable } from '@parley/base';
import type { Api, Incoming, Store } from '@parley/messenger';
import { type BodyOf, type ReplyOf, contactRoutes as routes, type Sender } from '@parley/protocol';
import { readPages } from '../pages.ts';

export type Contact = ReplyOf<typeof routes.listContacts>['contacts'][number];
type Requests = ReplyOf<typeof routes.listContactRequests>;
export type IncomingRequest = Requests['incoming'][number];
export type OutgoingRequest = Requests['outgoing'][number];
export type BlockedPerson = ReplyOf<typeof routes.listBlocked>['blocked'][number];
export type GroupInvitation = ReplyOf<typeof routes.listOwnInvitations>['invitations'][number];

/** First contact, as the server tells it (AC-4). Names are what others call themselves. */
export interface ContactsSnapshot {
  /** False until the server was asked once. */
  readonly loaded: boolean;
  readonly contacts: readonly Contact[];
  readonly incoming: readonly IncomingRequest[];
  readonly outgoing: readonly OutgoingRequest[];
  readonly blocked: readonly BlockedPerson[];
  /** Also those that were accepted, until a manager signs. */
  readonly invitations: readonly GroupInvitation[];
}

/** How many requests and invitations wait for the person's answer. */
export function countWaiting({ incoming, invitations }: ContactsSnapshot): number {
  return incoming.length + invitations.filter(({ accepted }) => !accepted).length;
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
  /** Also takes back that it was accepted. */
  declineInvitation(invitationId: string): Promise<void>;
}

/** What the blocked wrote is not shown (AC-6). The server's word hides here, and gives nothing (EE-15). */
export interface OpenContacts extends Contacts {
  /**
   * Is the message of someone blocked, or in a group of an agent of theirs? An agent that is new here may be one, so the
   * server is asked first.
   */
  hides(message: Pick<Incoming, 'sender' | 'conversationKind'>): Promise<boolean>;
  /** The same for what is not kept. What an unknown agent streams is not shown before it is known whose it is. */
  hidesNow(sender: Sender, isGroup: boolean): boolean;
  /** Was someone blocked at any time of which messages are kept? Then what they wrote is not lost when it does not come. */
  wasBlocked(accountIds: readonly string[]): Promise<boolean>;
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
  /** People and their agents. Known on disk: what they wrote may come before the server can be asked. */
  let blockedIds = new Set(JSON.parse((await store.get(BLOCKED)) ?? '[]') as string[]);
  let unblockedIds: ReadonlySet<string> = new Set();
  /** Agents in groups of which the server has said, since they came, whether they are someone's who was blocked. */
  const judged = new Set<string>();
  const [allAsked, blockedAsked] = [createTurns(), createTurns()];

  async function readContacts(): Promise<Contact[]> {
    const all: Contact[] = [];
    for await (const { contacts } of readPages((query) => api.call(routes.listContacts, { query }))) {
      all.push(...contacts);
    }
    return all;
  }

  async function readBlocked(): Promise<readonly BlockedPerson[]> {
    const isNewest = blockedAsked.begin();
    const { blocked, unblocked } = await api.call(routes.listBlocked);
    if (!isNewest()) return blocked;
    blockedIds = new Set(blocked.flatMap(({ user_id, agent_ids }) => [user_id, ...agent_ids]));
    unblockedIds = new Set(unblocked);
    await store.write(new Map([[BLOCKED, JSON.stringify([...blockedIds])]]));
    return blocked;
  }

  const isUnknown = (agentId: string) => blockedIds.size > 0 && !blockedIds.has(agentId) && !judged.has(agentId);

  /** Who owns an agent never changes, so it is asked once; who is blocked is told whenever it changes. */
  async function judge(agentId: string): Promise<void> {
    try {
      await readBlocked();
      judged.add(agentId);
    } catch {
      // Its next message asks again. A server that does not answer must not keep everyone's agents silent.
    }
  }

  async function sync(): Promise<void> {
    const isNewest = allAsked.begin();
    const [contacts, { incoming, outgoing }, blocked, { invitations }] = await Promise.all([
      readContacts(),
      api.call(routes.listContactRequests),
      readBlocked(),
      api.call(routes.listOwnInvitations),
    ]);
    if (isNewest()) shown.set({ loaded: true, contacts, incoming, outgoing, blocked, invitations });
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
    async hides({ sender: { kind, id }, conversationKind }) {
      if (kind === 'agent' && conversationKind !== 'group') return false;
      if (kind === 'agent' && isUnknown(id)) await judge(id);
      return blockedIds.has(id);
    },
    hidesNow({ kind, id }, isGroup) {
      if (kind === 'agent' && !isGroup) return false;
      const isNew = kind === 'agent' && isUnknown(id);
      if (isNew) void judge(id);
      return isNew || blockedIds.has(id);
    },
    async wasBlocked(accountIds) {
      // This device may have been away all the time that the block lasted.
      await readBlocked().catch(() => {});
      return accountIds.some((id) => blockedIds.has(id) || unblockedIds.has(id));
    },
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

/** The answer to an earlier question may come after that to a later one, and would undo what was done in between. */
function createTurns() {
  let begun = 0;
  let answered = 0;
  return {
    /** Returns what says, once there is an answer, whether it is the newest. */
    begin() {
      const turn = ++begun;
      return () => {
        if (turn < answered) return false;
        answered = turn;
        return true;
      };
    },
  };
}
