import { createLru } from '@parley/base';
import {
  type ConnectionMode,
  type Crypto,
  isRatcheted,
  type OwnKeys,
  type Peer,
  type PublicPrekey,
  peerName,
  type Recipient,
  startRatchetSession,
  type VerifiedPrekeyBundle,
  verifyPrekeyBundle,
} from '@parley/e2ee';
import { keyRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import type { Contact } from '../binding/contact.ts';
import type { Peers } from './peers.ts';

/** Starts ratchet sessions with recipients, and new ones when a side has lost its session. */
export interface RatchetSessions {
  /** Returns how to seal for this contact; undefined if `prepare` is needed first, null if it cannot be done. */
  recipient(contact: Contact): Recipient | null | undefined;
  /** Fetches the prekey bundles of everyone who needs one, in one request. */
  prepare(contacts: readonly Contact[]): Promise<void>;
  /**
   * Makes the next message to this peer begin a new session, because a message that they signed could not be opened
   * (EE-22).
   */
  reset(peer: Pick<Peer, 'sender' | 'identityKey'>): void;
  /** The weaker of both connection modes (EE-7). */
  modeWith(contact: Contact): ConnectionMode;
}

interface Deps {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly own: OwnKeys;
  readonly mode: ConnectionMode;
  readonly peers: Peers;
  readonly now: () => Date;
}

/** The most prekey bundles that one request may ask for. */
const MAX_BUNDLES = 100;
/** Each new session uses up a one-time prekey, so resets are limited in rate. */
const RESET_MS = 60_000;
/**
 * After this time, someone who had no prekeys is asked for again; after twice as long the next time. What is sealed
 * meanwhile is not for them, and a device that was just let in uploads its own in a moment.
 */
const RETRY_MS = { first: 500, most: 60_000 };
/** How many peers are remembered for each of these purposes. */
const MAX_REMEMBERED = 10_000;
/** Signed prekeys change once a week, and the old ones stay valid for a month. */
const PREKEY_MS = 24 * 60 * 60 * 1_000;

export function createRatchetSessions({ api, crypto, own, mode, peers, now }: Deps): RatchetSessions {
  const resets = createLru<string, true>(MAX_REMEMBERED);
  const begun = createLru<string, number>(MAX_REMEMBERED);
  const failed = createLru<string, { readonly until: number; readonly wait: number }>(MAX_REMEMBERED);
  const prekeys = createLru<string, { readonly prekey: PublicPrekey; readonly until: number }>(MAX_REMEMBERED);
  const time = () => now().getTime();

  const modeWith = (contact: Contact): ConnectionMode => (isRatcheted(mode) ? contact.mode : mode);
  const nameOf = ({ sender, identityKey }: Pick<Peer, 'sender' | 'identityKey'>) => peerName(sender, identityKey);
  const isBarred = (contact: Contact) => (failed.get(nameOf(contact))?.until ?? 0) > time();
  const bar = (contact: Contact): void => {
    const before = failed.get(nameOf(contact))?.wait;
    const wait = before === undefined ? RETRY_MS.first : Math.min(2 * before, RETRY_MS.most);
    failed.set(nameOf(contact), { until: time() + wait, wait });
  };

  const recipient: RatchetSessions['recipient'] = (contact) => {
    const peer = peers.peek(contact);
    const promised = modeWith(contact);
    if (peer !== undefined && promised === 'webhook') {
      const held = prekeys.get(nameOf(contact));
      if (held !== undefined && held.until > time()) return { mode: promised, peer, prekey: held.prekey };
    } else if (peer !== undefined && promised !== 'webhook' && peer.sessions.length > 0) {
      if (!resets.has(nameOf(contact)) || isBarred(contact)) return { mode: promised, peer };
    }
    return isBarred(contact) ? null : undefined;
  };
  const adopt = async (contact: Contact, bundle: VerifiedPrekeyBundle): Promise<boolean> => {
    const loaded = await peers.load(contact);
    // A message may have been opened or sealed since it was loaded: what it changed must not be undone.
    const peer = peers.peek(contact) ?? loaded;
    if (modeWith(contact) === 'webhook') {
      prekeys.set(nameOf(contact), { prekey: bundle.signedPrekey, until: time() + PREKEY_MS });
      return true;
    }
    const started = startRatchetSession(crypto, own, { peer, bundle });
    if (started === undefined) return false;
    peers.set(started);
    resets.delete(nameOf(contact));
    begun.set(nameOf(contact), time());
    return true;
  };
  const takeBundles = async (contacts: readonly Contact[]): Promise<void> => {
    const devices = contacts.filter(({ pin }) => pin.kind === 'device').map(({ address }) => address);
    const agents = contacts.filter(({ pin }) => pin.kind === 'agent').map(({ address }) => address);
    const { bundles } = await api.call(keyRoutes.takeBundles, { body: { devices, agents } });
    const byId = new Map(bundles.map((bundle) => [bundle.id, bundle]));
    for (const contact of contacts) {
      const bundle = byId.get(contact.address);
      const verified = bundle && verifyPrekeyBundle(crypto, bundle, contact.pin);
      const isUsable = verified?.ok === true && (await adopt(contact, verified.bundle));
      if (isUsable) failed.delete(nameOf(contact));
      else bar(contact);
    }
  };

  return {
    recipient,
    modeWith,
    prepare: async (contacts) => {
      await Promise.all(contacts.map(peers.load));
      const missing = contacts.filter((contact) => recipient(contact) === undefined);
      for (let start = 0; start < missing.length; start += MAX_BUNDLES) {
        await takeBundles(missing.slice(start, start + MAX_BUNDLES));
      }
    },
    reset: (peer) => {
      const since = time() - (begun.get(nameOf(peer)) ?? 0);
      // A clock that was put back must not keep us from it.
      if (since >= RESET_MS || since < 0) resets.set(nameOf(peer), true);
    },
  };
}
