import { isParleyError } from '@parley/base';
import { type Crypto, type Group, type OwnKeys, type Recipient, type Sealed, seal } from '@parley/e2ee';
import type { Header } from '@parley/protocol';
import type { Contact, TrustState } from '../binding/contact.ts';
import type { Audience, Directory } from '../directory/directory.ts';
import { messengerError } from '../errors.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Peers } from './peers.ts';
import type { RatchetSessions } from './ratchet-sessions.ts';

/**
 * Seals for everyone in a conversation. The states it changes are in the write buffer when it returns, not yet on disk.
 */
export interface Sealer {
  seal(header: Header, plaintext: Uint8Array): Promise<Sealed['envelope']>;
}

interface Deps {
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly directory: Directory;
  readonly peers: Peers;
  readonly sessions: RatchetSessions;
  readonly writeBuffer: WriteBuffer;
  /** True in webhook mode (EE-7). */
  readonly isStateless: boolean;
}

interface Assembled {
  readonly recipients: readonly Recipient[];
  readonly group: Group | undefined;
}

const ATTEMPTS = 3;

export function createSealer(deps: Deps): Sealer {
  const { crypto, own, directory, peers, sessions, writeBuffer, isStateless } = deps;
  /** Returns undefined if something has to be fetched first. */
  const assemble = (conversationId: string, audience: Audience): Assembled | undefined => {
    const recipients: Recipient[] = [];
    for (const contact of audience.contacts) {
      const recipient = sessions.recipient(contact);
      if (recipient === undefined) return undefined;
      if (recipient !== null) recipients.push(recipient);
    }
    const group = audience.kind === 'group' ? peers.peekGroup(conversationId) : undefined;
    return audience.kind === 'group' && group === undefined ? undefined : { recipients, group };
  };
  const prepare = async (conversationId: string, audience: Audience): Promise<void> => {
    if (audience.kind === 'group') await peers.loadGroup(conversationId);
    try {
      await sessions.prepare(audience.contacts);
    } catch (error) {
      // A member has left since the audience was looked up.
      if (!isParleyError(error, 'NOT_FOUND')) throw error;
      forgetAll(conversationId, audience.contacts);
    }
  };
  const forgetAll = (conversationId: string, contacts: readonly Contact[]): void => {
    directory.forget({ kind: 'conversation', id: conversationId });
    for (const { sender } of contacts) {
      directory.forget({ kind: sender.kind === 'human' ? 'account' : 'agent', id: sender.id });
    }
  };
  const save = ({ peers: changed, group, consumed }: Sealed): void => {
    for (const peer of changed) peers.set(peer);
    if (group !== undefined) peers.setGroup(group);
    writeBuffer.wipe(consumed);
  };

  return {
    seal: async (header, plaintext) => {
      const { conversation_id: id } = header;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const audience = directory.peekAudience(id) ?? (await directory.audience(id));
        checkAudience(audience, own.sender.id);
        const assembled = assemble(id, audience);
        if (assembled === undefined) {
          await prepare(id, audience);
          continue;
        }
        const { recipients, group } = assembled;
        // Among own devices there is nobody else.
        const isOther = ({ peer }: Recipient) => audience.kind === 'account' || peer.sender.id !== own.sender.id;
        if (!recipients.some(isOther)) break;
        const message = { header, plaintext, recipients, isStateless };
        const sealed = seal(crypto, own, group === undefined ? message : { ...message, group });
        if (!sealed.ok) throw messengerError('NO_RECIPIENT');
        save(sealed);
        return sealed.envelope;
      }
      throw messengerError('NO_RECIPIENT');
    },
  };
}

/** In a group, untrusted members are left out; a conversation of two has nobody else to write to. */
function checkAudience({ kind, untrusted, contacts, signed, isForked, withheld }: Audience, ownId: string): void {
  if (isForked) throw messengerError('LIST_FORKED');
  if (kind === 'group' && signed !== true) throw messengerError('GROUP_UNSIGNED');
  if (withheld) throw messengerError('WITHHELD');
  if (kind !== 'group' && untrusted.length > 0) throw messengerError(codeOf(untrusted[0]!));
  if (!contacts.some(({ sender }) => kind === 'account' || sender.id !== ownId)) {
    throw messengerError(
      untrusted.some(({ state }) => state === 'identity_changed') ? 'IDENTITY_CHANGED' : 'NO_RECIPIENT',
    );
  }
}

function codeOf({ state }: TrustState) {
  if (state === 'identity_changed') return 'IDENTITY_CHANGED';
  if (state === 'forked') return 'LIST_FORKED';
  if (state === 'device_list') return 'WITHHELD';
  return state === 'weaker_mode' ? 'WEAKER_MODE' : 'NO_RECIPIENT';
}
