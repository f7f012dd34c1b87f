import type { Store } from '@parley/messenger';
import {
  type ChainKind,
  countsUntil,
  type DeviceList,
  entryHash,
  type GroupStatement,
  groupStatementHash,
  type LedgerEntry,
  listedSigner,
} from '@parley/protocol';

export interface ChainHead {
  readonly kind: ChainKind;
  readonly id: string;
  readonly length: number;
  readonly head: string;
}

const LEDGERS = 'client/relation/';
const GROUPS = 'members/';

interface Link {
  /** Of a device of the own account; undefined for what others signed. */
  readonly deviceId: string | undefined;
  readonly hash: string;
}

/**
 * Where the ledgers and groups end that this device knows: a revocation names them (EE-18). With a list, only up to what
 * is void by it: a recovery speaks of all devices that are gone, and must not bring back what an earlier revocation took.
 */
export async function readChainHeads(
  store: Pick<Store, 'list'>,
  { accountId, list }: { readonly accountId: string; readonly list?: DeviceList | undefined },
): Promise<readonly ChainHead[]> {
  const heads: ChainHead[] = [];
  const name = (kind: ChainKind, id: string, links: readonly Link[]) => {
    const length = list === undefined ? links.length : countValid(list, { kind, id }, links);
    if (length > 0) heads.push({ kind, id, length, head: links[length - 1]!.hash });
  };
  for (const [key, text] of await store.list(LEDGERS)) {
    const { entries } = JSON.parse(text) as { entries: readonly LedgerEntry[] };
    const links = entries.map((entry) => ({ deviceId: entry.device_id, hash: entryHash(entry) }));
    name('ledger', key.slice(LEDGERS.length), links);
  }
  for (const [key, text] of await store.list(GROUPS)) {
    const statements = JSON.parse(text) as readonly GroupStatement[];
    const links = statements.map((statement) => ({
      deviceId: statement.by.id === accountId ? statement.by.device_id : undefined,
      hash: groupStatementHash(statement),
    }));
    name('group', key.slice(GROUPS.length), links);
  }
  return heads;
}

/** How many come before the first that is void. */
function countValid(list: DeviceList, chain: { kind: ChainKind; id: string }, links: readonly Link[]): number {
  const hashes = links.map(({ hash }) => hash);
  const limits = new Map<string, number>();
  const limitOf = (deviceId: string): number => {
    const signer = listedSigner(list, deviceId, chain);
    return signer === undefined ? 0 : countsUntil(signer, hashes);
  };
  const isVoid = ({ deviceId }: Link, index: number): boolean => {
    if (deviceId === undefined) return false;
    if (!limits.has(deviceId)) limits.set(deviceId, limitOf(deviceId));
    return index + 1 > limits.get(deviceId)!;
  };
  const first = links.findIndex(isVoid);
  return first < 0 ? links.length : first;
}
