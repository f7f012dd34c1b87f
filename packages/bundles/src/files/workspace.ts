import { type FileSystem, nodeFiles } from './file-system.ts';
import { withLock } from './lock.ts';
import { type Recovery, recoverTree } from './recover.ts';
import { Tree } from './tree.ts';

/** Recovers the workspace from an interrupted change, then runs alone in it. */
export async function inWorkspace<Result>(
  root: string,
  files: FileSystem | undefined,
  run: (tree: Tree, recovery: Recovery) => Promise<Result>,
): Promise<Result> {
  const system = files ?? nodeFiles;
  return await withLock(system, root, async () => {
    const tree = await Tree.open(system, root);
    try {
      const recovery = await recoverTree(tree);
      return await run(tree, recovery);
    } finally {
      await tree.close();
    }
  });
}

/** Call it at every start: afterwards the workspace is fully old or fully new (BA-3). */
export async function recover(root: string, options: { files?: FileSystem } = {}): Promise<Recovery> {
  return await inWorkspace(root, options.files, async (_tree, recovery) => recovery);
}
