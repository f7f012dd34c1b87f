import { type Json, parseJson } from '@parley/documents';
import { bundleError } from '../bundle-error.ts';
import { isOurFile, isOurFolder } from './allowed-paths.ts';
import { JOURNAL_FILE, SNAPSHOTS, TRANSACTIONS } from './layout.ts';
import type { Tree } from './tree.ts';

/** The planned change of one file. Digests are SHA-256 in hex; null means that there is no file. */
export interface JournalEntry {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Is the original kept in the snapshot, or only until the commit? */
  readonly keep: boolean;
}

/**
 * While the journal exists, the change is not committed, and a recovery rolls everything back. Removing the journal is
 * the commit (BA-3).
 */
export interface Journal {
  readonly version: 1;
  readonly id: string;
  readonly snapshot: string | null;
  readonly entries: readonly JournalEntry[];
  /** The created directories, outermost first. */
  readonly made: readonly string[];
  /** The removed directories, innermost first. */
  readonly removed: readonly { readonly path: string; readonly mode: number }[];
}

const ID = /^[0-9a-z-]{1,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;

export const transactionFolder = (id: string): string => `${TRANSACTIONS}/${id}`;
export const stagedPath = (id: string, index: number): string => `${TRANSACTIONS}/${id}/new-${index}`;

/** The path of an entry's original until the commit. */
export function backupPath({ id, snapshot, entries }: Journal, index: number): string {
  const kept = entries[index]!.keep && snapshot !== null;
  return kept ? `${SNAPSHOTS}/${snapshot}/${index}` : `${TRANSACTIONS}/${id}/old-${index}`;
}

export async function readJournal(tree: Tree): Promise<Journal | undefined> {
  const file = await tree.read(JOURNAL_FILE);
  if (file === undefined) return undefined;
  const parsed = parseJson(file.bytes);
  if (!parsed.ok || !isJournal(parsed.value)) throw bundleError('WORKSPACE_UNSAFE', { params: { path: JOURNAL_FILE } });
  return parsed.value as unknown as Journal;
}

/** A workspace may come from a stranger, and with it its `.roleos/`. */
function isJournal(value: Json): boolean {
  const journal = value as Partial<Record<keyof Journal, unknown>> | null;
  if (journal === null || typeof journal !== 'object' || journal.version !== 1) return false;
  const { id, snapshot, entries, made, removed } = journal;
  return (
    isId(id) &&
    (snapshot === null || isId(snapshot)) &&
    isList(entries, (entry) => isText(entry.path, isOurFile) && isDigest(entry.before) && isDigest(entry.after)) &&
    Array.isArray(made) &&
    made.every((path) => isText(path, isOurFolder)) &&
    isList(removed, ({ path, mode }) => isText(path, isOurFolder) && Number.isInteger(mode))
  );
}

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value);
const isText = (value: unknown, test: (text: string) => boolean): boolean => typeof value === 'string' && test(value);
const isDigest = (value: unknown): boolean => value === null || (typeof value === 'string' && DIGEST.test(value));

function isList(value: unknown, test: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && test(item));
}
