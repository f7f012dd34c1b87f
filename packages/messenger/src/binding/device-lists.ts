import { type Crypto, chainVerifier } from '@parley/e2ee';
import {
  compareLists,
  type DeviceList,
  type DeviceStatement,
  deviceRoutes,
  foldDeviceList,
  type ListMark,
  type ReplyOf,
} from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { readChainPages } from './chain-pages.ts';
import type { HeldEntries } from './held-entries.ts';

type Listing = ReplyOf<typeof deviceRoutes.accountDevices>;

/** A device list that was verified, with the statements it was folded from. */
export interface SeenList {
  readonly statements: readonly DeviceStatement[];
  readonly list: DeviceList;
  /** Two successors of one number were seen: nothing counts until the recovery key says which one holds (EE-17). */
  readonly forked: boolean;
}

type ListProblem = 'forked' | 'shortened' | 'invalid' | 'foreign';

export interface ListVerdict {
  /** What counts from now on. */
  readonly seen: SeenList | undefined;
  readonly problem?: ListProblem;
}

export interface KnownList {
  readonly seen?: SeenList | undefined;
  /** Where the list is known by its end only: from the device that let this one in (EE-16). */
  readonly mark?: ListMark | undefined;
}

/**
 * What to believe of a list that the server offers (EE-18): a continuation of the one that was seen, or one that the
 * recovery key put in its place. Everything else leaves what was seen in force, and a second successor stops it.
 */
export function judgeList(
  known: KnownList,
  offered: { readonly statements: readonly DeviceStatement[]; readonly list: DeviceList },
): ListVerdict {
  const { seen } = known;
  const mark = seen?.list ?? known.mark;
  const accepted: SeenList = { ...offered, forked: false };
  if (mark === undefined) return { seen: accepted };
  const comparison = compareLists(
    { ...mark, statements: seen?.statements },
    { ...offered.list, statements: offered.statements },
  );
  switch (comparison) {
    case 'settled':
      return { seen: accepted };
    case 'continues':
      if (seen?.forked) return { seen, problem: 'forked' };
      return { seen: seen?.list.head === offered.list.head ? seen : accepted };
    case 'forked':
      return { seen: seen?.forked ? seen : { ...(seen ?? accepted), forked: true }, problem: 'forked' };
    case 'foreign':
      return { seen, problem: 'foreign' };
    default:
      return { seen, problem: seen?.forked ? 'forked' : 'shortened' };
  }
}

/** Does this list contain what another own device was shown of it, or has the recovery key settled it since (EE-23)? */
export function isShown(mark: ListMark, seen: SeenList | undefined): boolean {
  if (seen === undefined) return false;
  const comparison = compareLists(mark, { ...seen.list, statements: seen.statements });
  return comparison === 'continues' || comparison === 'settled';
}

export function markOf({ length, head, root, recoveries }: DeviceList): ListMark {
  return { length, head, root, recoveries };
}

/** The account key that signed the beginning of a list. */
export function firstKeyOf([first]: readonly DeviceStatement[]): string {
  return first?.action === 'create' ? first.account_key : '';
}

const keyOf = (accountId: string) => `list/${accountId}`;

interface StoredList {
  readonly statements: readonly DeviceStatement[];
  readonly forked?: boolean;
}

/** Entries for a store: the list as it was seen last. */
export function storedList(accountId: string, { statements, forked }: SeenList): readonly [string, string] {
  const stored: StoredList = { statements, ...(forked ? { forked } : {}) };
  return [keyOf(accountId), JSON.stringify(stored)];
}

/** The person has accepted another key: the list of before is of someone else. */
export function forgetList(held: HeldEntries, accountId: string): void {
  held.set(keyOf(accountId), null);
}

/** Verified again when it is read: a store that someone wrote to names no devices. */
export async function loadList(
  held: Pick<HeldEntries, 'get'>,
  crypto: Crypto,
  accountId: string,
): Promise<SeenList | undefined> {
  const text = await held.get(keyOf(accountId));
  if (text === undefined) return undefined;
  const { statements, forked = false } = JSON.parse(text) as StoredList;
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) });
  return list.ok ? { statements, list, forked } : undefined;
}

interface ListDeps {
  readonly api: Pick<Api, 'call'>;
  readonly crypto: Crypto;
}

export interface FetchedList extends ListVerdict {
  /** The first page as it came: which devices the server lets in, and what an account without a list has. */
  readonly listing: Listing;
  /** Of a list that begins otherwise: its first account key, which a person may accept. */
  readonly offered?: string;
}

/** Asks the server for the list of an account, and judges what it offers. */
export async function fetchList({ api, crypto }: ListDeps, accountId: string, known: KnownList): Promise<FetchedList> {
  const { seen } = known;
  const minimum = seen?.list.length ?? known.mark?.length ?? 0;
  let listing: Listing | undefined;
  const readPage = async (after: number) => {
    const page = await api.call(deviceRoutes.accountDevices, {
      params: { account_id: accountId },
      query: { after: String(after) },
    });
    listing ??= page;
    return { items: page.statements, length: page.length };
  };
  let read = await readChainPages(readPage, { known: seen?.statements ?? [], minimum });
  // It does not go on where the list that was seen ends: the whole of it shows why.
  if (seen !== undefined && !(read.ok && isContinued(seen, read.items, listing!)))
    read = await readChainPages(readPage);
  if (!read.ok) return { listing: listing!, seen, problem: minimum > 0 ? 'shortened' : 'invalid' };
  const statements = read.items;
  if (statements.length === 0) {
    return { listing: listing!, seen, ...(minimum > 0 ? { problem: 'shortened' as const } : {}) };
  }
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) });
  if (!list.ok) return { listing: listing!, seen, problem: 'invalid' };
  const verdict = judgeList(known, { statements, list });
  return {
    listing: listing!,
    ...verdict,
    ...(verdict.problem === 'foreign' ? { offered: firstKeyOf(statements) } : {}),
  };
}

function isContinued({ list }: SeenList, items: readonly DeviceStatement[], { head }: Listing): boolean {
  const next = items[list.length];
  return next === undefined ? head === list.head : next.prev === list.head;
}

/** The hash of a statement, for whoever signs the next. */
export const endOf = ({ list }: Pick<SeenList, 'list'>) => ({ seq: list.length + 1, prev: list.head });
