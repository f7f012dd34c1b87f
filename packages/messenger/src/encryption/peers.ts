import { createPeer, type Group, isPinned, type Peer, readState, writeState } from '@parley/e2ee';
import type { Contact } from '../binding/contact.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';

/** The states of ratchet sessions and groups. Memory is ahead; the store follows with the next batch. */
export interface Peers {
  /** Returns undefined before `load` has looked; a contact with another identity than before starts from scratch. */
  peek(contact: Contact): Peer | undefined;
  load(contact: Contact): Promise<Peer>;
  /** Loads by address only, also for someone whom the server no longer shows. */
  loadByAddress(address: string): Promise<Peer | undefined>;
  current(address: string): Peer | undefined;
  set(peer: Peer, address: string): void;
  peekGroup(conversationId: string): Group | undefined;
  loadGroup(conversationId: string): Promise<Group>;
  setGroup(group: Group): void;
}

export function createPeers(store: Store, writeBuffer: WriteBuffer): Peers {
  const peers = new Map<string, Peer>();
  const groups = new Map<string, Group>();

  const loadByAddress = async (address: string): Promise<Peer | undefined> => {
    const known = peers.get(address);
    if (known !== undefined) return known;
    const text = await store.get(`peer/${address}`);
    const peer = peers.get(address) ?? (text === undefined ? undefined : readState<Peer>(text));
    if (peer !== undefined) peers.set(address, peer);
    return peer;
  };
  const peek = (contact: Contact): Peer | undefined => {
    const known = peers.get(contact.address);
    if (known === undefined || isPinned(known, contact)) return known;
    const begun = begin(contact);
    peers.set(contact.address, begun);
    return begun;
  };

  return {
    peek,
    loadByAddress,
    load: async (contact) => {
      await loadByAddress(contact.address);
      const known = peek(contact);
      if (known !== undefined) return known;
      const begun = begin(contact);
      peers.set(contact.address, begun);
      return begun;
    },
    current: (address) => peers.get(address),
    set: (peer, address) => {
      peers.set(address, peer);
      writeBuffer.set(`peer/${address}`, () => writeState(peers.get(address)!));
    },
    peekGroup: (id) => groups.get(id),
    loadGroup: async (conversationId) => {
      const text = groups.has(conversationId) ? undefined : await store.get(`group/${conversationId}`);
      const group =
        groups.get(conversationId) ?? (text === undefined ? { conversationId, keys: [] } : readState<Group>(text));
      groups.set(conversationId, group);
      return group;
    },
    setGroup: (group) => {
      const id = group.conversationId;
      groups.set(id, group);
      writeBuffer.set(`group/${id}`, () => writeState(groups.get(id)!));
    },
  };
}

/** A device's exchange key is certified; an agent's comes with its handshakes, signed. */
function begin({ sender, identityKey, exchangeKey }: Contact): Peer {
  return createPeer(sender, sender.kind === 'human' ? { identityKey, exchangeKey } : { identityKey });
}
