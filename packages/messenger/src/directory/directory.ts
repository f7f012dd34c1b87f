import { type Crypto, fromBase64Url } from '@parley/e2ee';
import { agentRoutes, type Sender } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Conversation, Identity, PlatformEvent, Problem } from '../types.ts';
import { findAgent, type KnownAgent } from './agents.ts';
import { createCache } from './cache.ts';
import type { Contact, TrustState } from './contact.ts';
import { createConversationFinder } from './conversations.ts';
import { findPerson, type Person } from './people.ts';
import type { Pins } from './pins.ts';

/** The recipients of a message in a conversation. */
export interface Audience extends Conversation {
  /** Every certified device and pinned agent except this one. */
  readonly contacts: readonly Contact[];
  /** The states of other members who may not be written to. */
  readonly untrusted: readonly TrustState[];
}

/** Looks up people, agents and conversations at the server, and checks the answers against pinned keys. */
export interface Directory {
  peekAudience(conversationId: string): Audience | undefined;
  audience(conversationId: string): Promise<Audience>;
  conversation(conversationId: string): Promise<Conversation>;
  /** Does the same, without asking the server again about a conversation of two. */
  pinnedConversation(conversationId: string): Promise<Conversation>;
  /**
   * Returns undefined for a device without a certificate, an agent whose key is not the pinned one, or an unknown
   * sender.
   */
  contact(sender: Sender): Promise<Contact | undefined>;
  person(accountId: string): Promise<Person>;
  agent(agentId: string): Promise<KnownAgent>;
  /** The identity key that the server shows for an agent, before it is pinned. */
  offer(agentId: string): Promise<string | undefined>;
  forget(party: { readonly kind: 'conversation' | 'account' | 'agent'; readonly id: string }): void;
  applyEvent(event: PlatformEvent): void;
}

export interface DirectoryDeps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly pins: Pins;
  readonly store: Store;
  readonly writeBuffer: WriteBuffer;
  readonly identity: Identity;
  readonly now: () => Date;
  /** How long answers of the server are cached. With a connection, changes are announced earlier. */
  readonly maxAgeMs: number;
  readonly report: (problem: Problem) => void;
}

const SIZE = 10_000;

export function createDirectory({
  api,
  crypto,
  pins,
  store,
  writeBuffer,
  identity,
  now,
  maxAgeMs,
  report,
}: DirectoryDeps): Directory {
  const ownAccount = identity.kind === 'human' ? identity.accountId : undefined;
  const ownAddress = identity.kind === 'human' ? identity.deviceId : identity.agentId;
  const cacheOptions = { now, maxAgeMs, size: SIZE };
  const ownId = ownAccount ?? ownAddress;
  const finder = createConversationFinder({ api, store, writeBuffer, ownId });
  const conversations = createCache(finder.find, cacheOptions);
  const people = createCache((id: string) => findPerson({ api, crypto, pins, ownAccount, report }, id), cacheOptions);
  const agents = createCache((id: string) => findAgent({ api, crypto, pins, report }, id), cacheOptions);

  const audiences = createCache<Audience>(async (id) => {
    const { kind, members } = await conversations.get(id);
    const found = await Promise.all(members.map(findMember));
    const contacts = found.flatMap(({ contacts }) => contacts).filter(({ address }) => address !== ownAddress);
    const others = found.filter(({ id }) => id !== ownId);
    const untrusted = others.map(({ trust }) => trust).filter(({ state }) => state !== 'ok');
    return { kind, members, contacts, untrusted };
  }, cacheOptions);

  const findMember = async ({ kind, id }: Conversation['members'][number]) => {
    if (id === ownAddress) return { id, trust: { state: 'ok' } as TrustState, contacts: [] };
    try {
      if (kind === 'human') {
        const { trust, devices } = await people.get(id);
        return { id, trust, contacts: devices };
      }
      const { trust, contact } = await agents.get(id);
      return { id, trust, contacts: contact === undefined ? [] : [contact] };
    } catch (error) {
      // A member whom the server does not show has left; the others still get the message.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
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
      const pinned = await finder.pinned(id);
      if (pinned !== undefined) return pinned;
      const found = await conversations.get(id);
      if (found.kind !== 'group') await writeBuffer.saved();
      return found;
    },
    contact: findContact,
    person: people.get,
    agent: agents.get,
    offer: async (agentId) => {
      const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
      return fromBase64Url(agent.identity_key ?? '')?.length === 32 ? agent.identity_key! : undefined;
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

function isAboutRelation(event: PlatformEvent): event is Extract<PlatformEvent, { type: `relation.${string}` }> {
  return event.type.startsWith('relation.');
}
