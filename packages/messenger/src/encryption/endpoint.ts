import type { Party } from '@parley/e2ee';
import { loadList, markOf, storedList } from '../binding/device-lists.ts';
import { createHeldEntries } from '../binding/held-entries.ts';
import { createPins } from '../binding/pins.ts';
import { createRelationBinder } from '../binding/relations.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createTrust, toComparedParty } from '../directory/trust.ts';
import { loadOwnIdentity, type OwnIdentity } from '../identity/own-identity.ts';
import type { Messenger } from '../messenger-interface.ts';
import { createWriteBuffer, type WriteBuffer } from '../stores/write-buffer.ts';
import type { MessengerOptions, Problem, Trust } from '../types.ts';
import { createOpener, type Opener, oldestAccepted } from './opener.ts';
import { createPeers } from './peers.ts';
import { createRatchetSessions } from './ratchet-sessions.ts';
import { createSealer, type Sealer } from './sealer.ts';

/**
 * This end of the end-to-end encryption: own keys, known parties, sealing and opening. It does not know connections.
 */
export interface Endpoint {
  readonly own: OwnIdentity;
  readonly writeBuffer: WriteBuffer;
  readonly directory: Directory;
  readonly sealer: Sealer;
  readonly opener: Opener;
  readonly trust: Trust;
  readonly bindRelations: Messenger['bindRelations'];
  readonly holdDeviceList: Messenger['holdDeviceList'];
  /** Renews the prekeys that the server hands out for us, in the background. */
  upkeep(): void;
}

/** Changes are announced; the limit is for announcements that were lost. */
const DIRECTORY_MS = 10 * 60_000;
/** Not every change is announced to a webhook. */
const DIRECTORY_WEBHOOK_MS = 60_000;
const SPENT_BEFORE_REFILL = 20;

export async function loadEndpoint(options: MessengerOptions, report: (problem: Problem) => void): Promise<Endpoint> {
  const { api, identity, mode, store, platform } = options;
  const { crypto, now, setTimer } = platform;
  const writeBuffer = createWriteBuffer({ store, setTimer, onBroken: (error) => report({ kind: 'store', error }) });
  const own = await loadOwnIdentity(options, writeBuffer);
  const held = createHeldEntries({ store, writeBuffer, setTimer });
  const pins = createPins(held);
  if (identity.kind === 'human' && own.accountKey !== undefined) {
    // Of a device of the version before: it has pinned the account key, and nothing else.
    const known = await pins.get('account', identity.accountId);
    if (known === undefined) pins.set('account', identity.accountId, { key: own.accountKey, verified: true });
  }
  const maxAgeMs = mode === 'webhook' ? DIRECTORY_WEBHOOK_MS : DIRECTORY_MS;
  const { heard } = options;
  const known = { pins, store, writeBuffer, held, heard };
  const directory = createDirectory({ api, crypto, ...known, identity, now, maxAgeMs, report });
  const peers = createPeers(store, writeBuffer);
  const sessions = createRatchetSessions({ api, crypto, own: own.keys, mode, peers, now });
  const upkeep = (): void => {
    own.publish().catch((error: unknown) => report({ kind: 'connection', error }));
  };
  let spent = 0;
  const deletePrekey = (keyId: number): void => {
    own.prekeys.deletePrekey(keyId);
    if (++spent % SPENT_BEFORE_REFILL === 0) upkeep();
  };
  const shared = { crypto, own: own.keys, directory, peers, sessions, writeBuffer };
  const self = async (): Promise<Party | undefined> => {
    if (identity.kind === 'agent') return { id: identity.agentId, key: own.keys.identity.publicKey };
    const pin = await pins.get('account', identity.accountId);
    return pin && toComparedParty(crypto, identity.accountId, pin);
  };
  const ownAccount = identity.kind === 'human' ? identity.accountId : undefined;
  const trust = createTrust({ crypto, directory, pins, writeBuffer, held, self, ownAccount });
  return {
    own,
    writeBuffer,
    directory,
    sealer: createSealer({ ...shared, isStateless: mode === 'webhook' }),
    opener: createOpener({
      ...shared,
      deletePrekey,
      ...(mode === 'webhook' ? { stateless: { notBefore: () => oldestAccepted(now()) } } : {}),
    }),
    trust,
    bindRelations: (callbacks) => {
      if (identity.kind !== 'human') throw new TypeError('bindRelations is for a person');
      const { accountId } = identity;
      const loadOwnList = () => loadList(held, crypto, accountId);
      const { conversations } = directory;
      return createRelationBinder({ api, crypto, trust, accountId, conversations, loadOwnList, ...callbacks });
    },
    holdDeviceList: async (seen) => {
      if (identity.kind !== 'human') throw new TypeError('holdDeviceList is for a person');
      const { accountId } = identity;
      const { accountKey: key } = seen.list;
      held.set(...storedList(accountId, seen));
      pins.set('account', accountId, { key, verified: true, list: markOf(seen.list) });
      directory.forget({ kind: 'account', id: accountId });
      await writeBuffer.saved();
    },
    upkeep,
  };
}
