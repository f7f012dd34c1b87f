import { randomBytes } from 'node:crypto';
import { SNAPSHOTS, STATE_FILE } from '../files/layout.ts';
import { type InstalledBundle, type SharedOriginal, type State, writeState } from '../files/state.ts';
import { type FileChange, findMissing, runTransaction } from '../files/transaction.ts';
import type { Tree } from '../files/tree.ts';
import type { OperationOptions } from '../operation-options.ts';
import type { PlanOperation } from '../plan/operation.ts';
import { originalOf } from '../plan/transition.ts';

export interface Commit {
  readonly state: State;
  readonly operations: readonly PlanOperation[];
  /** The bundles after the change. `kept` says where the originals of changed files are. */
  readonly bundles: (kept: ReadonlyMap<string, string>, snapshotId: string | null) => readonly InstalledBundle[];
  readonly session?: State['session'];
  readonly check?: () => Promise<void>;
}

/** Runs one transaction over the files and the workspace's record of them. */
export async function commit(tree: Tree, options: OperationOptions, input: Commit): Promise<void> {
  const { state, operations, check } = input;
  const snapshotId = operations.some(({ keep }) => keep) ? `s-${randomBytes(8).toString('hex')}` : null;
  const kept = new Map(
    operations.flatMap(({ path, keep }, index) =>
      keep ? [[path, `${SNAPSHOTS}/${snapshotId}/${index}`] as const] : [],
    ),
  );
  const changes: FileChange[] = operations.map(toChange);
  const bundles = input.bundles(kept, snapshotId);
  const made = await findMissing(tree, changes);
  const known = [...state.directories, ...made];
  const next: State = {
    version: 1,
    session: input.session === undefined ? state.session : input.session,
    bundles,
    shared: listShared(state, bundles, operations, kept),
    directories: known.filter((directory) => isUsed(directory, bundles)),
  };
  const emptied = known.filter((directory) => !next.directories.includes(directory));
  const change = await changeState(tree, next);
  await runTransaction(tree, {
    id: `t-${randomBytes(8).toString('hex')}`,
    snapshot: snapshotId,
    changes: change === undefined ? changes : [...changes, change],
    emptied: emptied.sort((a, b) => b.length - a.length),
    signal: options.signal,
    ...(check === undefined ? {} : { check }),
    ...(options.onProgress === undefined
      ? {}
      : { onProgress: (done, total) => options.onProgress?.({ step: 'write', done, total }) }),
  });
}

function toChange({ path, before, content, mode, keep }: PlanOperation): FileChange {
  return content === null ? { path, before: before ?? '', content, keep } : { path, before, content, mode, keep };
}

async function changeState(tree: Tree, next: State): Promise<FileChange | undefined> {
  const before = (await tree.read(STATE_FILE))?.digest ?? null;
  if (next.bundles.length > 0 || next.session !== null)
    return { path: STATE_FILE, before, content: writeState(next), mode: 0o644, keep: false };
  return before === null ? undefined : { path: STATE_FILE, before, content: null, keep: false };
}

/** Records, for every file with a block, what was there before the first block. */
function listShared(
  state: State,
  bundles: readonly InstalledBundle[],
  operations: readonly PlanOperation[],
  kept: ReadonlyMap<string, string>,
): Record<string, SharedOriginal> {
  const blocks = bundles.flatMap(({ files }) => files.filter(({ kind }) => kind === 'block'));
  const shared: Record<string, SharedOriginal> = {};
  for (const { path } of blocks) {
    const operation = operations.find((candidate) => candidate.path === path);
    shared[path] = originalOf(state, path) ?? { digest: operation?.before ?? null, kept: kept.get(path) ?? null };
  }
  return shared;
}

const isUsed = (directory: string, bundles: readonly InstalledBundle[]): boolean =>
  bundles.some(({ files }) => files.some(({ path }) => path.startsWith(`${directory}/`)));
