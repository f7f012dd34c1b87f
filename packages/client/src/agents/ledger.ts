import { effectiveSensitivity, type Manifest, type Sensitivity } from '@parley/documents';
import { type Crypto, type KeyPair, signEntry } from '@parley/e2ee';
import type { LedgerSubject } from '@parley/messenger';
import { entryHash, type LedgerEntry, type LedgerScope } from '@parley/protocol';

/** What a verified chain says (RL-10). */
export interface Chain {
  readonly entries: readonly LedgerEntry[];
  readonly head: string | null;
  readonly granted: ReadonlyMap<string, Sensitivity>;
  /** Scopes that were granted at some time. */
  readonly once: ReadonlySet<string>;
  /** By scope, the entry of the last consent to it: when it was granted, or when a newer manifest was agreed to. */
  readonly epochs: ReadonlyMap<string, number>;
  readonly manifestHash: string | null;
  readonly manifestVersion: number;
}

export const EMPTY_CHAIN: Chain = toChain([]);

/** What entries say that were verified before. */
export function toChain(entries: readonly LedgerEntry[]): Chain {
  const last = entries.at(-1);
  return {
    entries,
    head: last === undefined ? null : entryHash(last),
    granted: new Map(last?.scopes.map(({ id, sensitivity }) => [id, sensitivity])),
    once: new Set(entries.flatMap(({ scopes }) => scopes.map(({ id }) => id))),
    epochs: findEpochs(entries),
    manifestHash: last?.manifest_hash ?? null,
    manifestVersion: last?.manifest_version ?? 0,
  };
}

function findEpochs(entries: readonly LedgerEntry[]): ReadonlyMap<string, number> {
  let epochs = new Map<string, number>();
  let last: LedgerEntry | undefined;
  for (const entry of entries) {
    const sameText = last?.manifest_hash === entry.manifest_hash;
    const before = epochs;
    epochs = new Map(entry.scopes.map(({ id }) => [id, (sameText ? before.get(id) : undefined) ?? entry.seq]));
    last = entry;
  }
  return epochs;
}

export interface Consent {
  readonly action: LedgerEntry['action'];
  readonly scopes: readonly LedgerScope[];
  readonly manifestHash: string | null;
  readonly manifestVersion: number;
}

/** The scopes with the level each has in the text agreed to. */
export function withLevels(manifest: Manifest, ids: readonly string[]): LedgerScope[] {
  const declared = new Map(manifest.permission_scopes.map((scope) => [scope.id, scope]));
  return ids.flatMap((id) => {
    const scope = declared.get(id);
    return scope === undefined ? [] : [{ id, sensitivity: effectiveSensitivity(scope) }];
  });
}

/** The next entry of a chain, signed by this device. */
export function makeEntry(
  consent: Consent,
  subject: LedgerSubject & { readonly deviceId: string },
  signing: { crypto: Crypto; identity: KeyPair; chain: Chain; createdAt: string },
): LedgerEntry {
  const { chain } = signing;
  const entry: Omit<LedgerEntry, 'signature'> = {
    version: 1,
    relation_id: subject.relationId,
    seq: chain.entries.length + 1,
    prev: chain.head,
    action: consent.action,
    agent_id: subject.agentId,
    account_id: subject.accountId,
    device_id: subject.deviceId,
    scopes: [...consent.scopes],
    manifest_hash: consent.manifestHash,
    manifest_version: consent.manifestVersion,
    created_at: signing.createdAt,
  };
  return signEntry(signing.crypto, entry, signing.identity);
}
