import { type DeviceStatement, deviceStatementHash, entryHash, type Head, type LedgerEntry } from '@parley/protocol';

/** Names what a head is about; a device has one of each. */
export const subjectOf = ({ kind, id }: Pick<Head, 'kind' | 'id'>) => `${kind}/${id}`;

/**
 * Does it say more than what the same device said before? Messages may come in any order, so an older one takes nothing
 * back.
 */
export function isFurther(head: Head, known: Head | undefined): boolean {
  if (known === undefined) return true;
  if (head.kind === 'manifest') return known.kind === 'manifest' && head.version > known.version;
  if (known.kind === 'manifest') return false;
  // The recovery key can put a shorter list in the place of a longer one.
  const [recoveries, before] = [head, known].map((one) => (one.kind === 'devices' ? one.recoveries : 0)) as [
    number,
    number,
  ];
  return recoveries === before ? head.length > known.length : recoveries > before;
}

/** Does the chain that this device was shown contain what another one was shown? */
export function isLedgerShown(
  { length, head }: { readonly length: number; readonly head: string },
  entries: readonly LedgerEntry[],
): boolean {
  const there = entries[length - 1];
  return there !== undefined && entryHash(there) === head;
}

/** A manifest has no chain: versions only rise, and one version is one text (RL-4). */
export function isManifestShown(
  { version, hash }: { readonly version: number; readonly hash: string },
  announced: { readonly version: number; readonly hash: string | null } | undefined,
): boolean {
  if (announced === undefined) return false;
  return announced.version === version ? announced.hash === hash : announced.version > version;
}

/** The length of the chain with the last entry that took something away; 0 if none did. */
export function findLastTaken(entries: readonly LedgerEntry[]): number {
  return (
    entries.findLastIndex((entry, index) => {
      const left = new Set(entry.scopes.map(({ id }) => id));
      return entry.action === 'revoke' || entries[index - 1]?.scopes.some(({ id }) => !left.has(id)) === true;
    }) + 1
  );
}

/** Has a device that says this of a ledger been shown the entry that took something away? */
export function confirmsTaking(head: Head | undefined, taken: number, entries: readonly LedgerEntry[]): boolean {
  return head?.kind === 'ledger' && head.length >= taken && isLedgerShown(head, entries);
}

/** The same of the newest revocation in the account's device list. */
export function confirmsRevocation(head: Head | undefined, statements: readonly DeviceStatement[]): boolean {
  const revoked = statements.findLastIndex(({ action }) => action === 'revoke' || action === 'recover') + 1;
  if (revoked === 0) return true;
  if (head?.kind !== 'devices' || head.length < revoked) return false;
  const there = statements[head.length - 1];
  return there !== undefined && deviceStatementHash(there) === head.head;
}
