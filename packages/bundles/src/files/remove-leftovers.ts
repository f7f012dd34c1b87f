import { HOME, SNAPSHOTS, TRANSACTIONS } from './layout.ts';
import { listKept, readState } from './state.ts';
import type { Tree } from './tree.ts';

/** Removes the leftovers of an ended change: its stage, and kept originals that nothing refers to any more. */
export async function removeLeftovers(tree: Tree): Promise<void> {
  if ((await tree.describe(HOME)) === undefined) return;
  await tree.removeAll(TRANSACTIONS);
  if ((await tree.describe(SNAPSHOTS)) === undefined) return;
  const kept = listKept(await readState(tree));
  for (const snapshot of await tree.list(SNAPSHOTS)) {
    const folder = `${SNAPSHOTS}/${snapshot}`;
    for (const name of await tree.list(folder)) {
      if (!kept.has(`${folder}/${name}`)) await tree.removeAll(`${folder}/${name}`);
    }
    await tree.removeDirectory(folder);
  }
  await tree.removeDirectory(SNAPSHOTS);
}
