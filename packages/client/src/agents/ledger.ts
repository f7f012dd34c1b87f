import { effectiveSensitivity, type Manifest, type Sensitivity } from '@parley/documents';
import { type Crypto, type KeyPair, signEntry } from '@parley/e2ee';
import type { VerifiedLedger } from '@parley/messenger';
import type { BoundEntry, LedgerEntry, LedgerScope, LedgerSubject } from '@parley/protocol';

/** What a verified chain says (RL-10). */
export interface Chain {
  /** All of them; some may be void (EE-18). */
  readonly entries: readonly LedgerEntry[];
  readonly head: string | null;
  readonly granted: ReadonlyMap<string, Sensitivity>;
  /** Scopes that were granted at some time. */
  readonly once: ReadonlySet<string>;
  /** By scope, the entry of the last consent to it: when it was granted, or when a newer manifest was agreed to. */
  readonly epochs: ReadonlyMap<string, number>;
  readonly manifestHash: string | null;
  readonly manifestVersion: number;
  /** Whom it is about; undefined where it is empty, void, or of the old form: then it grants nothing (EE-19). */
  readonly subject: LedgerSubject | undefined;
  /** The last entry that counts is of the old form: a device has to sign it anew. */
  readonly isOld: boolean;
}

export function toChain(ledger: VerifiedLedger): Chain {
  const { entries, counting, head, scopes, subject, manifestHash, manifestVersion } = ledger;
  return {
    entries,
    head,
    granted: new Map(scopes.map(({ id, sensitivity }) => [id, sensitivity])),
    once: new Set(counting.flatMap((entry) => entry.scopes.map(({ id }) => id))),
    epochs: findEpochs(counting),
    manifestHash,
    manifestVersion,
    subject,
    isOld: counting.at(-1)?.version === 1,
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
  signing: {
    readonly crypto: Crypto;
    readonly identity: KeyPair;
    readonly chain: Pick<Chain, 'entries' | 'head'>;
    readonly createdAt: string;
  },
): BoundEntry {
  const { chain } = signing;
  const entry: Omit<BoundEntry, 'signature'> = {
    version: 2,
    relation_id: subject.relationId,
    conversation_id: subject.conversationId,
    agent_key: subject.agentKey,
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
