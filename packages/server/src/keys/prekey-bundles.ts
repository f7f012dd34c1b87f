import { type Caller, type Party, partyOf, requireSignedIn } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import type { Owner } from './owner.ts';
import { findReachable } from './reachable.ts';
import { countTaking, findSignedPrekey, type OneTimePrekey, type SignedPrekey, takeOneTimePrekey } from './store.ts';

/** Enough for all devices of a person to start over several times, but too few to use up an owner's hundred. */
const MAX_A_DAY = 10;

interface Identity extends Owner {
  readonly identityKey: string;
  readonly exchangeKey: string;
}
export interface PrekeyBundle extends Identity {
  readonly signedPrekey: SignedPrekey | null;
  readonly oneTimePrekey: OneTimePrekey | null;
}

/**
 * Returns what a caller needs for a first message to these owners (EE-5). A caller who has taken too many of an owner's
 * one-time keys today gets bundles without one, which X3DH allows. If the caller may not write to one of the owners, it
 * gets no bundle at all. Whoever was blocked gets the same as anyone (AC-6).
 */
export async function takePrekeyBundles(
  platform: Platform,
  caller: Caller,
  targets: { readonly devices: readonly string[]; readonly agents: readonly string[] },
): Promise<PrekeyBundle[]> {
  const taker = partyOf(requireSignedIn(caller));
  const identities = [
    ...(await findDevices(platform.db, taker, targets.devices)),
    ...(await findAgents(platform.db, taker, targets.agents)),
  ];
  // In the same order for everyone, so that two takers do not deadlock.
  identities.sort((a, b) => (a.id < b.id ? -1 : 1));
  return platform.db.transaction().execute(async (trx) => {
    const bundles: PrekeyBundle[] = [];
    for (const identity of identities) {
      const within = (await countTaking(trx, taker, identity, platform.now())) <= MAX_A_DAY;
      bundles.push({
        ...identity,
        signedPrekey: (await findSignedPrekey(trx, identity)) ?? null,
        oneTimePrekey: within ? ((await takeOneTimePrekey(trx, identity)) ?? null) : null,
      });
    }
    return bundles;
  });
}

async function findDevices(db: Db, taker: Party, ids: readonly string[]): Promise<Identity[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('devices')
    .select(['id', 'account_id', 'identity_key', 'exchange_key'])
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
  const accounts = [...new Set(rows.map(({ account_id }) => account_id))];
  const reachable = await findReachable(db, taker, 'human', accounts);
  if (rows.length < ids.length || !accounts.every((id) => reachable.has(id))) throw new RequestError('NOT_FOUND');
  return rows.map((row) => ({
    kind: 'device',
    id: row.id,
    identityKey: row.identity_key,
    exchangeKey: row.exchange_key,
  }));
}

async function findAgents(db: Db, taker: Party, ids: readonly string[]): Promise<Identity[]> {
  if (ids.length === 0) return [];
  const reachable = await findReachable(db, taker, 'agent', ids);
  if (!ids.every((id) => reachable.has(id))) throw new RequestError('NOT_FOUND');
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'identity_key', 'exchange_key'])
    .where('id', 'in', ids)
    .where('identity_key', 'is not', null)
    .where('exchange_key', 'is not', null)
    .execute();
  if (rows.length < ids.length) throw new RequestError('NOT_FOUND');
  return rows.map((row) => ({
    kind: 'agent',
    id: row.id,
    identityKey: row.identity_key!,
    exchangeKey: row.exchange_key!,
  }));
}
