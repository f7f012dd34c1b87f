import { backupPath, type Journal, readJournal } from './journal.ts';
import { HOME, JOURNAL_FILE, LOST } from './layout.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { split, type Tree } from './tree.ts';

/** A file that could not be restored, because someone has changed it since. */
export interface Leftover {
  readonly path: string;
  /** The current path of the original, if there was one. */
  readonly original: string | null;
}

export interface Recovery {
  /** Was an unfinished change rolled back? */
  readonly undone: boolean;
  readonly leftovers: readonly Leftover[];
}

/** Leaves the workspace fully old or fully new (BA-3). The caller holds the lock. */
export async function recoverTree(tree: Tree): Promise<Recovery> {
  const journal = await readJournal(tree);
  const leftovers = journal === undefined ? [] : await undo(tree, journal);
  await removeLeftovers(tree);
  return { undone: journal !== undefined, leftovers };
}

/** Restores the state that a journal describes. It can be interrupted and started again at any point. */
export async function undo(tree: Tree, journal: Journal): Promise<Leftover[]> {
  const leftovers: Leftover[] = [];
  const touched = new Set<string>();
  for (const { path, mode } of [...journal.removed].reverse()) {
    if (await tree.makeDirectory(path, mode)) touched.add(split(path).parent);
  }
  for (const [index, { path }] of [...journal.entries.entries()].reverse()) {
    touched.add(split(path).parent);
    const leftover = await undoOne(tree, journal, index);
    if (leftover !== undefined) leftovers.push(leftover);
  }
  for (const path of [...journal.made].reverse()) {
    if (await tree.removeDirectory(path)) touched.add(split(path).parent);
  }
  await tree.sync(touched);
  await tree.unlink(JOURNAL_FILE);
  await tree.sync([HOME]);
  return leftovers;
}

async function undoOne(tree: Tree, journal: Journal, index: number): Promise<Leftover | undefined> {
  const { path, before, after } = journal.entries[index]!;
  const live = await tree.read(path);
  if (before === null) {
    if (live === undefined) return undefined;
    if (live.digest !== after) return { path, original: null };
    // The file is ours, whether it is linked with its staged copy or alone.
    await tree.unlink(path);
    return undefined;
  }
  const backup = backupPath(journal, index);
  const original = await tree.read(backup);
  if (original === undefined || original.inode === live?.inode) return undefined;
  if (live === undefined || live.digest === after) {
    await tree.rename(backup, path);
    return undefined;
  }
  // On file systems without links the original is a copy, and the file may not have been replaced yet.
  if (live.digest === before) return undefined;
  return { path, original: await keepOriginal(tree, journal, index) };
}

async function keepOriginal(tree: Tree, journal: Journal, index: number): Promise<string> {
  const folder = `${LOST}/${journal.id}`;
  for (const path of [LOST, folder]) await tree.makeDirectory(path);
  await tree.rename(backupPath(journal, index), `${folder}/${index}`);
  await tree.sync([folder, LOST, HOME]);
  return `${folder}/${index}`;
}
