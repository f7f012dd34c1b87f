import { type Crypto, fromBase64Url } from '@parley/e2ee';
import type { GroupAuthor, Sender, Signer } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { type BoundAccount, bindAccount, findSeenIdentity, findSeenSigner } from '../binding/accounts.ts';
import { type BoundAgent, bindAgent } from '../binding/agents.ts';
import type { Contact, TrustState } from '../binding/contact.ts';
import { type BoundConversation, type ConversationBinder, createConversationBinder } from '../binding/conversations.ts';
import type { HeldEntries } from '../binding/held-entries.ts';
import type { Pins } from '../binding/pins.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Conversation, HeardMarks, Identity, PlatformEvent, Problem } from '../types.ts';
import { createCache } from './cache.ts';

/** The recipients of a message in a conversation. */
export interface Audience extends Conversation {
  /** Every listed device and pinned agent except this one. */
  readonly contacts: readonly Contact[];
  /** There are two versions of our own device list: everything stops (EE-17). */
  readonly isForked: boolean;
  /** The states of other members who may not be written to. */
  readonly untrusted: readonly TrustState[];
}

/** Looks up people, agents and conversations at the server, and caches what binding made of the answers (EE-15). */
export interface Directory {
  peekAudience(conversationId: string): Audience | undefined;
  audience(conversationId: string): Promise<Audience>;
  conversation(conversationId: string): Promise<BoundConversation>;
  /** Does the same, without asking the server again about a conversation of two. */
  pinnedConversation(conversationId: string): Promise<Conversation>;
  /**
   * Returns undefined for a device that is not listed, an agent whose key is not the pinned one, or an unknown sender.
   */
  contact(sender: Sender): Promise<Contact | undefined>;
  person(accountId: string): Promise<BoundAccount>;
  /** Whose signatures count in a chain: those of a listed device, or of a revoked one up to a point (EE-18). */
  signer(accountId: string, ...where: Parameters<BoundAccount['signer']>): Promise<Signer | undefined>;
  agent(agentId: string): Promise<BoundAgent>;
  /** Asks the server now: the key that fits the fingerprint is the one that is pinned (EE-21). */
  agentWithFingerprint(agentId: string, fingerprint: string): Promise<BoundAgent>;
  /**
   * The identity key that was pinned or listed when the sender was last seen, for someone whom the server does not show.
   * A device that the list has revoked stays so (EE-18).
   */
  seenIdentity(sender: Sender): Promise<Uint8Array | undefined>;
  readonly conversations: ConversationBinder;
  forget(party: { readonly kind: 'conversation' | 'account' | 'agent'; readonly id: string }): void;
  applyEvent(event: PlatformEvent): void;
}

export interface DirectoryDeps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly pins: Pins;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly held: HeldEntries;
  readonly heard?: HeardMarks | undefined;
  readonly identity: Identity;
  readonly now: () => Date;
  /** How long answers of the server are cached. With a connection, changes are announced earlier. */
  readonly maxAgeMs: number;
  readonly report: (problem: Problem) => void;
}

/** An entry takes a few KB. One that is missing costs a request. */
const SIZE = 2_000;

export function createDirectory({
  api,
  crypto,
  pins,
  store,
  writeBuffer,
  held,
  heard,
  identity,
  now,
  maxAgeMs,
  report,
}: DirectoryDeps): Directory {
  const ownAccount = identity.kind === 'human' ? identity.accountId : undefined;
  const ownAddress = identity.kind === 'human' ? identity.deviceId : identity.agentId;
  const cacheOptions = { now, maxAgeMs, size: SIZE };
  const ownId = ownAccount ?? ownAddress;
  const shared = { api, crypto, pins, store, writeBuffer, held, heard, report };
  const isUntrusted = ({ trust }: { readonly trust: TrustState }) => trust.state !== 'ok';
  const people = createCache(
    async (id: string) => {
      let isTold = false;
      const note = (problem: Problem) => {
        isTold = true;
        report(problem);
      };
      const bound = await bindAccount({ ...shared, ownAccount, report: note }, id);
      if (!isTold && !isUntrusted(bound)) report({ kind: 'over', subject: 'account', id });
      return bound;
    },
    { ...cacheOptions, isDoubtful: isUntrusted },
  );
  const agents = createCache(
    async (id: string) => {
      const bound = await bindAgent(shared, id);
      if (!isUntrusted(bound)) report({ kind: 'over', subject: 'agent', id });
      return bound;
    },
    { ...cacheOptions, isDoubtful: isUntrusted },
  );
  const findSigner = async (accountId: string, ...where: Parameters<BoundAccount['signer']>) => {
    try {
      return (await people.get(accountId)).signer(...where);
    } catch (error) {
      // Of someone who has left, the server shows no devices any more.
      if (!isHidden(error)) throw error;
      return findSeenSigner(shared, accountId, ...where);
    }
  };
  /** A list may be older in the cache than what one of its newer devices has signed. */
  const signer: Directory['signer'] = async (accountId, ...where) => {
    const known = await findSigner(accountId, ...where);
    if (known !== undefined) return known;
    people.forget(accountId);
    return findSigner(accountId, ...where);
  };
  const signerOf = (author: GroupAuthor, conversationId: string): Promise<Signer | undefined> =>
    signer(author.id, author.device_id, { kind: 'group', id: conversationId });
  const binder = createConversationBinder({ ...shared, ownId, ownAccount, signerOf });
  const conversations = createCache(binder.find, cacheOptions);

  const audiences = createCache<Audience>(
    async (id) => {
      const { kind, members, signed, withheld } = await conversations.get(id);
      const found = await Promise.all(members.map(findMember));
      const contacts = found.flatMap(({ contacts }) => contacts).filter(({ address }) => address !== ownAddress);
      const others = found.filter(({ id }) => id !== ownId);
      const untrusted = others.map(({ trust }) => trust).filter(({ state }) => state !== 'ok');
      const isForked = found.some((one) => one.id === ownId && one.trust.state === 'forked');
      const group = { ...(signed === undefined ? {} : { signed }), ...(withheld === undefined ? {} : { withheld }) };
      return { kind, members, contacts, untrusted, isForked, ...group };
    },
    {
      ...cacheOptions,
      isDoubtful: ({ untrusted, isForked }) => untrusted.length > 0 || isForked,
    },
  );

  const findMember = async ({ kind, id }: Conversation['members'][number]) => {
    if (id === ownAddress) return { id, trust: { state: 'ok' } as TrustState, contacts: [] };
    try {
      if (kind === 'human') {
        const { trust, devices } = await people.get(id);
        // Of someone whose list is kept back here, devices are still heard; which of them were revoked is not known.
        return { id, trust, contacts: trust.state === 'ok' ? devices : [] };
      }
      const { trust, contact } = await agents.get(id);
      return { id, trust, contacts: contact === undefined ? [] : [contact] };
    } catch (error) {
      // A member whom the server does not show has left; the others still get the message.
      if (!isHidden(error)) throw error;
      return { id, trust: { state: 'no_keys' } as TrustState, contacts: [] };
    }
  };
  const findContact = async ({ kind, id, device_id }: Sender): Promise<Contact | undefined> => {
    if (kind === 'agent') return (await agents.get(id)).contact;
    return (await people.get(id)).devices.find(({ sender }) => sender.device_id === device_id);
  };
  const forget: Directory['forget'] = ({ kind, id }) => {
    if (kind === 'conversation') conversations.forget(id);
    else if (kind === 'account') people.forget(id);
    else agents.forget(id);
    // An audience is cheap to rebuild from the other caches.
    audiences.clear();
  };

  return {
    peekAudience: audiences.peek,
    audience: audiences.get,
    conversation: conversations.get,
    pinnedConversation: async (id) => {
      const pinned = await binder.pinned(id);
      if (pinned !== undefined) return pinned;
      const found = await conversations.get(id);
      if (found.kind !== 'group') await writeBuffer.saved();
      return found;
    },
    contact: findContact,
    person: people.get,
    signer,
    agent: agents.get,
    agentWithFingerprint: async (agentId, fingerprint) => {
      const bound = await bindAgent(shared, agentId, { fingerprint });
      forget({ kind: 'agent', id: agentId });
      return bound;
    },
    seenIdentity: async ({ kind, id, device_id: deviceId = '' }) => {
      const key =
        kind === 'agent'
          ? (await pins.get('agent', id))?.key
          : await findSeenIdentity(shared, { accountId: id, deviceId });
      return key === undefined ? undefined : fromBase64Url(key);
    },
    conversations: {
      ...binder,
      bind: async (id, pair) => {
        const isReplaced = await binder.bind(id, pair);
        // What the server said before is still in the cache, and would be sealed for.
        if (isReplaced) forget({ kind: 'conversation', id });
        return isReplaced;
      },
      hold: async (statement) => {
        await binder.hold(statement);
        forget({ kind: 'conversation', id: statement.conversation_id });
      },
    },
    forget,
    applyEvent: (event) => {
      if (event.type === 'conversation.members_changed') forget({ kind: 'conversation', id: event.conversation_id });
      else if (event.type === 'account.devices_changed') forget({ kind: 'account', id: event.account_id });
      else if (event.type === 'device.changed' && ownAccount !== undefined) forget({ kind: 'account', id: ownAccount });
      else if (event.type === 'h2a.reauth_required') forget({ kind: 'agent', id: event.agent_id });
      else if (isAboutRelation(event)) {
        forget({ kind: 'agent', id: event.agent_id });
        if (event.conversation_id !== undefined) forget({ kind: 'conversation', id: event.conversation_id });
      }
    },
  };
}

const isHidden = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

function isAboutRelation(event: PlatformEvent): event is Extract<PlatformEvent, { type: `relation.${string}` }> {
  return event.type.startsWith('relation.');
}
