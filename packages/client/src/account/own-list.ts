import { isParleyError } from '@parley/base';
import { boxAccountKey, type Crypto, generateEd25519, type KeyPair, toBase64Url } from '@parley/e2ee';
import {
  type Api,
  endOf,
  type FetchedList,
  fetchList,
  loadList,
  markOf,
  type SeenList,
  type Store,
  storedList,
} from '@parley/messenger';
import { type DeviceStatement, deviceRoutes, type KeyBox, type ListedDevice } from '@parley/protocol';
import { clientError } from '../errors.ts';
import { foldOwnList } from './read-statements.ts';

export interface OwnListDeps {
  readonly api: Api;
  readonly store: Store;
  readonly platform: { readonly crypto: Crypto; now(): Date };
  readonly userId: string;
  /** Has the messenger, where there is one, read the list and write it down: nobody believes less than it does. */
  sync?(): Promise<void>;
  /** Has it keep a list that this device has made, before any server has shown it. */
  hold?(seen: SeenList): Promise<void>;
  /** Of a device that has no list of its own yet: the one that its secret has borne out. What follows continues it. */
  readonly known?: SeenList;
}

/** A statement is kept before it is sent: sent again, it must be the same bytes, or there would be two of one number. */
const PENDING = 'client/pending-statement';
const ATTEMPTS = 5;

/** The entries that make a device know its account's list, and that it is its own. */
export function ownListEntries(accountId: string, seen: SeenList): ReadonlyMap<string, string> {
  const pin = { key: seen.list.accountKey, verified: true, list: markOf(seen.list) };
  return new Map([storedList(accountId, seen), [`pin/account/${accountId}`, JSON.stringify(pin)]]);
}

/** Reads the account's own list, on top of what this device has seen. */
export async function readOwnList(deps: OwnListDeps): Promise<FetchedList> {
  const { api, store, platform, userId } = deps;
  await deps.sync?.();
  const seen = deps.known ?? (await loadList(store, platform.crypto, userId));
  return fetchList({ api, crypto: platform.crypto }, userId, { seen });
}

/**
 * Adds a statement to the list. `make` is asked again when another device was faster, and returns undefined when there is
 * nothing left to say.
 */
export async function appendStatement(
  deps: OwnListDeps,
  make: (seen: SeenList) => DeviceStatement | undefined,
): Promise<SeenList> {
  const { api, store } = deps;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { seen, problem } = await readOwnList(deps);
    if (problem === 'forked') throw clientError('LIST_FORKED');
    if (seen === undefined || problem !== undefined) throw clientError('LIST_REFUSED');
    const pending = await loadPending(store, seen);
    const statement = pending ?? make(seen);
    if (statement === undefined) return seen;
    await store.write(new Map([[PENDING, JSON.stringify(statement)]]));
    try {
      await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
      // From now on it counts here, whether or not the server shows it again.
      await deps.hold?.(foldOwnList(deps.platform.crypto, deps.userId, [...seen.statements, statement]));
    } catch (error) {
      // After a conflict it stays until another one is shown in its place: nobody else's word makes this device sign two
      // statements of one number.
      if (isParleyError(error, 'STATEMENT_INVALID')) await store.write(new Map([[PENDING, null]]));
      if (!isParleyError(error, 'STATEMENT_CONFLICT')) throw error;
    }
  }
  throw clientError('LIST_REFUSED');
}

/** A statement of an interrupted run that still fits. */
async function loadPending(store: Store, { list, statements }: SeenList): Promise<DeviceStatement | undefined> {
  const text = await store.get(PENDING);
  if (text === undefined) return undefined;
  const pending = JSON.parse(text) as DeviceStatement;
  const taken = statements[pending.seq - 1];
  const isNext = pending.seq === list.length + 1 && pending.prev === list.head;
  if (isNext && taken === undefined) return pending;
  await store.write(new Map([[PENDING, null]]));
  // It has arrived, or another one has taken its number.
  return undefined;
}

/** What every statement begins with. */
export function headerOf({ platform, userId }: Pick<OwnListDeps, 'platform' | 'userId'>, seen: SeenList | undefined) {
  return {
    version: 1 as const,
    account_id: userId,
    created_at: platform.now().toISOString(),
    ...(seen === undefined ? { seq: 1, prev: null } : endOf(seen)),
  };
}

/** A new account key, sealed for each of these keepers, the one that makes it among them. */
export function makeRotation(
  { platform, userId }: Pick<OwnListDeps, 'platform' | 'userId'>,
  devices: Iterable<ListedDevice>,
): { rotation: { account_key: string; boxes: KeyBox[] }; pair: KeyPair } {
  const pair = generateEd25519(platform.crypto);
  const keepers = [...devices].filter(({ keeper }) => keeper);
  const boxes = keepers.flatMap((device) => boxAccountKey(platform.crypto, pair, { accountId: userId, device }) ?? []);
  return { rotation: { account_key: toBase64Url(pair.publicKey), boxes }, pair };
}
