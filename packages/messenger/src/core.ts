import type { Retrier } from '@parley/base';
import type { Party } from '@parley/e2ee';
import { fromBase64Url } from '@parley/e2ee';
import { createDirectory, type Directory } from './directory/directory.ts';
import { createPins } from './directory/pins.ts';
import { createJournal, type Journal } from './journal.ts';
import { createOpener, type Opener } from './opener.ts';
import { loadOwn, type Own } from './own.ts';
import { createPeers } from './peers.ts';
import { createServerRetrier } from './retry.ts';
import { createSealer, type Sealer } from './sealer.ts';
import { createSessions } from './sessions.ts';
import { createTrust } from './trust.ts';
import type { MessengerOptions, Problem, Trust } from './types.ts';
import { oldestTaken } from './webhook-inbox.ts';

/** Who we are, whom we know and what seals and opens; nothing of how messages travel. */
export interface Core {
  readonly own: Own;
  readonly journal: Journal;
  readonly directory: Directory;
  readonly sealer: Sealer;
  readonly opener: Opener;
  readonly retrier: Retrier;
  readonly trust: Trust;
  /** Looks after the keys that the server gives out for us. */
  upkeep(): void;
}

/** Changes are announced; this is for what was lost. */
const DIRECTORY_MS = 10 * 60_000;
/** Nobody tells a webhook of everything. */
const DIRECTORY_WEBHOOK_MS = 60_000;
const SPENT_BEFORE_REFILL = 20;

export async function loadCore(options: MessengerOptions, report: (problem: Problem) => void): Promise<Core> {
  const { api, identity, mode, store, platform } = options;
  const { crypto, now, setTimer } = platform;
  const journal = createJournal({ store, setTimer, onBroken: (error) => report({ kind: 'store', error }) });
  const own = await loadOwn(options, journal);
  const pins = createPins(store, journal);
  if (identity.kind === 'human' && own.accountKey !== undefined) {
    const known = await pins.get('account', identity.accountId);
    if (known === undefined) pins.set('account', identity.accountId, { key: own.accountKey, verified: true });
  }
  const life = mode === 'webhook' ? DIRECTORY_WEBHOOK_MS : DIRECTORY_MS;
  const directory = createDirectory({ api, crypto, pins, store, journal, identity, now, life, report });
  const peers = createPeers(store, journal);
  const sessions = createSessions({ api, crypto, own: own.keys, mode, peers, now });
  const upkeep = (): void => {
    own.publish().catch((error: unknown) => report({ kind: 'connection', error }));
  };
  let spent = 0;
  const spend = (keyId: number): void => {
    own.prekeys.spend(keyId);
    if (++spent % SPENT_BEFORE_REFILL === 0) upkeep();
  };
  const shared = { crypto, own: own.keys, directory, peers, sessions, journal };
  const self = async (): Promise<Party | undefined> => {
    if (identity.kind === 'agent') return { id: identity.agentId, key: own.keys.identity.publicKey };
    const pin = await pins.get('account', identity.accountId);
    return pin && { id: identity.accountId, key: fromBase64Url(pin.key)! };
  };
  return {
    own,
    journal,
    directory,
    sealer: createSealer(shared),
    opener: createOpener({
      ...shared,
      spend,
      ...(mode === 'webhook' ? { stateless: { notBefore: () => oldestTaken(now()) } } : {}),
    }),
    retrier: createServerRetrier(platform),
    trust: createTrust({ crypto, directory, pins, journal, self }),
    upkeep,
  };
}
