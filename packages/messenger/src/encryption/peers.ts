import {
  addressOf,
  createPeer,
  type Group,
  isPinned,
  isSameSender,
  type Peer,
  peerName,
  readState,
} from '@parley/e2ee';
import type { Contact } from '../binding/contact.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import { createStateCache } from './state-cache.ts';

/** More than one message has recipients, so that all states of a group fit. */
const MAX_PEERS = 2_048;
const MAX_GROUPS = 256;

/** Who a state belongs to, with the key that was verified. */
type Known = Pick<Contact, 'sender' | 'identityKey'>;

/**
 * The states of ratchet sessions and groups. A state belongs to a kind, an account, a device and its identity key: what
 * someone claims under another name or key reaches no other state (EE-22).
 */
export interface Peers {
  /** Returns undefined before `load` has looked. */
  peek(known: Known): Peer | undefined;
  /** Begins a state in memory where there is none; nothing is stored before something was opened or sealed. */
  load(contact: Contact): Promise<Peer>;
  /** The same for someone whom the server no longer shows; undefined if nothing was ever exchanged with them. */
  find(known: Known): Promise<Peer | undefined>;
  set(peer: Peer): void;
  peekGroup(conversationId: string): Group | undefined;
  loadGroup(conversationId: string): Promise<Group>;
  setGroup(group: Group): void;
}

const keyOf = ({ sender, identityKey }: Known) => `peer/${peerName(sender, identityKey, '/')}`;
const groupKeyOf = (conversationId: string) => `group/${conversationId}`;

export function createPeers(store: Store, writeBuffer: WriteBuffer): Peers {
  const peers = createStateCache<Peer>(store, writeBuffer, MAX_PEERS);
  const groups = createStateCache<Group>(store, writeBuffer, MAX_GROUPS);
  /** Read from where the version before had them. */
  const moving = new Set<string>();

  const find = async (known: Known): Promise<Peer | undefined> => {
    const key = keyOf(known);
    const found = await peers.load(key);
    if (found !== undefined) return found;
    const old = await loadOld(store, known);
    const begun = peers.peek(key);
    if (begun !== undefined || old === undefined) return begun;
    moving.add(key);
    peers.put(key, old);
    return old;
  };

  return {
    peek: (known) => peers.peek(keyOf(known)),
    find,
    load: async (contact) => {
      const known = await find(contact);
      if (known !== undefined) return known;
      const begun = begin(contact);
      peers.put(keyOf(contact), begun);
      return begun;
    },
    set: (peer) => {
      const key = keyOf(peer);
      peers.set(key, peer);
      if (moving.delete(key)) writeBuffer.set(oldKeyOf(peer), null);
    },
    peekGroup: (id) => groups.peek(groupKeyOf(id)),
    loadGroup: async (conversationId) => {
      const known = await groups.load(groupKeyOf(conversationId));
      const group = known ?? { conversationId, keys: [] };
      if (known === undefined) groups.put(groupKeyOf(conversationId), group);
      return group;
    },
    setGroup: (group) => groups.set(groupKeyOf(group.conversationId), group),
  };
}

const oldKeyOf = ({ sender }: Pick<Known, 'sender'>) => `peer/${addressOf(sender)}`;

/** The version before had one state for each address, whoever was behind it. */
async function loadOld(store: Store, { sender, identityKey }: Known): Promise<Peer | undefined> {
  const text = await store.get(oldKeyOf({ sender }));
  const peer = text === undefined ? undefined : readState<Peer>(text);
  return peer !== undefined && isSameSender(peer.sender, sender) && isPinned(peer, { identityKey }) ? peer : undefined;
}

/** A device's exchange key is certified; an agent's comes with its handshakes, signed. */
function begin({ sender, identityKey, exchangeKey }: Contact): Peer {
  return createPeer(sender, sender.kind === 'human' ? { identityKey, exchangeKey } : { identityKey });
}
