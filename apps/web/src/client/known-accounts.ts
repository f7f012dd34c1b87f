import { createObservable, type Readable } from '@parley/base';

/** An account whose keys this browser has. The keys are in a store of their own. */
export interface KnownAccount {
  readonly accountId: string;
  /** As its owner calls themselves; absent as long as the server was not asked. */
  readonly name?: string;
  readonly store: string;
}

const ACCOUNTS = 'parley.accounts';
const ACTIVE = 'parley.store';
/** The store of the first account, which was there before there could be others. */
const FIRST = 'parley';

const accounts = createObservable<readonly KnownAccount[]>(read());
// Another tab has changed the list.
globalThis.addEventListener?.('storage', ({ key }) => key === ACCOUNTS && accounts.set(read()));

export const knownAccounts: Readable<readonly KnownAccount[]> = accounts;

export const findKnown = (accountId: string): KnownAccount | undefined =>
  read().find((one) => one.accountId === accountId);

export function rememberAccount(account: KnownAccount): void {
  const list = read();
  const before = list.find((one) => one.accountId === account.accountId);
  const after = { ...before, ...account };
  if (before?.name === after.name && before?.store === after.store) return;
  save(before === undefined ? [...list, after] : list.map((one) => (one === before ? after : one)));
}

export function forgetKnown(accountId: string): void {
  save(read().filter((one) => one.accountId !== accountId));
}

/** The store that this browser opens; without one that was chosen, that of the first account. */
export const activeStore = (): string => localStorage.getItem(ACTIVE) ?? FIRST;
export const setActiveStore = (store: string): void => localStorage.setItem(ACTIVE, store);
export const newStoreFor = (accountId: string): string => `${FIRST}-${accountId}`;
export const isTaken = (store: string): boolean => read().some((one) => one.store === store);
/** Whether this browser may have keys. Where it does not say what it has stored, it is looked for. */
export async function hasKeys(): Promise<boolean> {
  if (read().length > 0 || localStorage.getItem(ACTIVE) !== null) return true;
  const stored = await indexedDB.databases?.().catch(() => undefined);
  return stored?.some(({ name }) => name?.startsWith('parley-store/')) ?? true;
}
/** Where to go when the active account was forgotten. */
export const anyStore = (): string => read()[0]?.store ?? FIRST;

/** `list` was just read: another tab may have changed it, and this one hears of that later. */
function save(list: readonly KnownAccount[]): void {
  localStorage.setItem(ACCOUNTS, JSON.stringify(list));
  accounts.set(list);
}

function read(): readonly KnownAccount[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(ACCOUNTS) ?? '[]');
    return Array.isArray(list) ? list.filter(isKnown) : [];
  } catch {
    return [];
  }
}

function isKnown(value: unknown): value is KnownAccount {
  const { accountId, store, name = '' } = (value ?? {}) as Record<string, unknown>;
  return [accountId, store, name].every((text) => typeof text === 'string');
}
