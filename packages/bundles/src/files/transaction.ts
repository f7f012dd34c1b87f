import type { ParleyError } from '@parley/base';
import { bundleError } from '../bundle-error.ts';
import { sha256 } from '../sha256.ts';
import { codeOf } from './file-system.ts';
import { inParallel } from './in-parallel.ts';
import { backupPath, type Journal, type JournalEntry, stagedPath, transactionFolder } from './journal.ts';
import { HOME, JOURNAL_FILE, SNAPSHOTS, TRANSACTIONS } from './layout.ts';
import { undo } from './recover.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { split, type Tree } from './tree.ts';

/** A change of one file. `before` is the digest of the current file, null if there is none. */
export type FileChange =
  | {
      readonly path: string;
      readonly before: string | null;
      /** The bytes to write, or the path of a kept original that is moved back as it was. */
      readonly content: Uint8Array | { readonly kept: string; readonly digest: string };
      readonly mode: number;
      /** Keeps the original in the snapshot. */
      readonly keep: boolean;
    }
  | { readonly path: string; readonly before: string; readonly content: null; readonly keep: boolean };

export interface Transaction {
  readonly id: string;
  readonly snapshot: string | null;
  readonly changes: readonly FileChange[];
  /** Directories to remove if they are empty, innermost first. */
  readonly emptied: readonly string[];
  /** Checks the changed workspace; an error that it throws rolls everything back. */
  readonly check?: () => Promise<void>;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Commits all changes or none (BA-3). It stages the files and backs up the originals, writes the journal, applies the
 * changes, checks the result, and commits by removing the journal. Each phase is on the disk before the next begins.
 */
export async function runTransaction(tree: Tree, transaction: Transaction): Promise<void> {
  const journal = await planJournal(tree, transaction);
  try {
    await stage(tree, transaction, journal);
    await backUp(tree, transaction, journal);
    await writeJournal(tree, journal);
  } catch (error) {
    await removeLeftovers(tree);
    throw error;
  }
  try {
    await apply(tree, transaction, journal);
    await transaction.check?.();
    await verifyBackups(tree, journal);
    transaction.signal?.throwIfAborted();
  } catch (error) {
    await undo(tree, journal);
    await removeLeftovers(tree);
    throw error;
  }
  await tree.unlink(JOURNAL_FILE);
  await tree.sync([HOME]);
  // The change is committed, so leftovers that cannot be removed are left to the next start.
  await removeLeftovers(tree).catch(() => {});
}

async function planJournal(tree: Tree, { id, snapshot, changes, emptied }: Transaction): Promise<Journal> {
  const entries = changes.map(({ path, before, content, keep }): JournalEntry => {
    const after = content === null ? null : 'kept' in content ? content.digest : sha256(content);
    return { path, before, after, keep };
  });
  const removed = [];
  for (const path of emptied) {
    const directory = await tree.directory(path);
    if (directory !== undefined) removed.push({ path, mode: await directory.mode() });
  }
  return { version: 1, id, snapshot, entries, made: await findMissing(tree, changes), removed };
}

/** Lists the directories that these files need and that do not exist, outermost first. */
export async function findMissing(tree: Tree, changes: readonly FileChange[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const { path, content } of changes) {
    if (content === null) continue;
    for (let { parent } = split(path); parent !== ''; { parent } = split(parent)) {
      if (missing.has(parent) || (await tree.directory(parent)) !== undefined) break;
      missing.add(parent);
    }
  }
  return [...missing].sort((a, b) => a.length - b.length);
}

async function stage(tree: Tree, { changes, onProgress, signal }: Transaction, journal: Journal): Promise<void> {
  const { id, snapshot } = journal;
  const folders = [
    TRANSACTIONS,
    transactionFolder(id),
    ...(snapshot === null ? [] : [SNAPSHOTS, snapshotFolder(snapshot)]),
  ];
  for (const folder of folders) await tree.makeDirectory(folder);
  let done = 0;
  await inParallel(changes, async (change, index) => {
    signal?.throwIfAborted();
    if (change.content !== null) {
      const staged = stagedPath(id, index);
      if ('kept' in change.content) await stageKept(tree, change.content, staged);
      else await tree.write(staged, change.content, change.mode);
    }
    onProgress?.(++done, changes.length);
  });
}

/** Stages the original file itself, if its content is still the same. */
async function stageKept(
  tree: Tree,
  { kept, digest }: { kept: string; digest: string },
  staged: string,
): Promise<void> {
  const file = await tree.read(kept);
  if (file?.digest !== digest) throw bundleError('WORKSPACE_UNSAFE', { params: { path: kept } });
  try {
    await tree.link(kept, staged);
  } catch (error) {
    if (!isLinkless(error)) throw error;
    await tree.write(staged, file.bytes, file.mode);
  }
}

const snapshotFolder = (snapshot: string): string => `${SNAPSHOTS}/${snapshot}`;

/** Gives each file that will be replaced a second name: restoring it is then one rename, which keeps its times. */
async function backUp(tree: Tree, { changes }: Transaction, journal: Journal): Promise<void> {
  await inParallel(changes, async ({ path, before, content }, index) => {
    if (before === null || content === null) return;
    const file = await tree.read(path);
    if (file?.digest !== before || file.links !== 1) throw changed(path);
    const backup = backupPath(journal, index);
    try {
      await tree.link(path, backup);
    } catch (error) {
      if (!isLinkless(error)) throw error;
      await tree.write(backup, file.bytes, file.mode);
    }
  });
  const { id, snapshot } = journal;
  await tree.sync([transactionFolder(id), ...(snapshot === null ? [] : [snapshotFolder(snapshot), SNAPSHOTS])]);
  await tree.sync([TRANSACTIONS, HOME, '']);
}

async function writeJournal(tree: Tree, journal: Journal): Promise<void> {
  const draft = `${transactionFolder(journal.id)}/journal`;
  await tree.write(draft, Buffer.from(JSON.stringify(journal)), 0o644);
  await tree.rename(draft, JOURNAL_FILE);
  await tree.sync([HOME]);
}

async function apply(tree: Tree, { changes, signal }: Transaction, journal: Journal): Promise<void> {
  const touched = new Set<string>();
  for (const path of journal.made) {
    await tree.makeDirectory(path);
    touched.add(split(path).parent);
  }
  for (const [index, change] of changes.entries()) {
    signal?.throwIfAborted();
    touched.add(split(change.path).parent);
    await applyOne(tree, change, journal, index);
  }
  for (const { path } of journal.removed) {
    if (await tree.removeDirectory(path)) touched.add(split(path).parent);
  }
  await tree.sync(touched);
  for (const path of touched) {
    const directory = await tree.directory(path);
    if (directory !== undefined && !(await directory.isInPlace())) throw changed(path);
  }
}

async function applyOne(tree: Tree, change: FileChange, journal: Journal, index: number): Promise<void> {
  const { path, before, content } = change;
  if (content === null) {
    const backup = backupPath(journal, index);
    await tree.rename(path, backup);
    const file = await tree.read(backup);
    if (file?.digest !== before) throw changed(path);
    return;
  }
  const staged = stagedPath(journal.id, index);
  if (before === null) return await create(tree, staged, path);
  const file = await tree.read(path);
  if (file?.digest !== before) throw changed(path);
  await tree.rename(staged, path);
}

/** A link fails if someone has just put a file there; a rename would replace it. */
async function create(tree: Tree, staged: string, path: string): Promise<void> {
  try {
    await tree.link(staged, path);
    await tree.unlink(staged);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(path);
    if (!isLinkless(error)) throw error;
    if ((await tree.describe(path)) !== undefined) throw changed(path);
    await tree.rename(staged, path);
  }
}

/** An editor that had a file open writes into the original, and that text would be lost. */
async function verifyBackups(tree: Tree, journal: Journal): Promise<void> {
  await inParallel(journal.entries, async ({ path, before, after }, index) => {
    if (before === null || after === null) return;
    const file = await tree.read(backupPath(journal, index));
    if (file?.digest !== before) throw changed(path);
  });
}

const isLinkless = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');

/** Someone else changed the workspace at the same time; a new plan will include what they did. */
const changed = (path: string): ParleyError => bundleError('PLAN_CHANGED', { retry: true, params: { path } });
