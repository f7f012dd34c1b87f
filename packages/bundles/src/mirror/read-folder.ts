import { isSafePath } from '@parley/documents/bundle';
import { bundleError } from '../bundle-error.ts';
import { nodeFiles } from '../files/file-system.ts';
import { Tree } from '../files/tree.ts';
import { digestFiles } from '../kits/digest.ts';
import type { KitFile } from '../kits/kit-file.ts';

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads every regular file of a folder, including dot files (BA-6). Any link is refused. */
export async function readFolder(root: string): Promise<KitFile[]> {
  const tree = await Tree.open(nodeFiles, root);
  try {
    return await readTree(tree);
  } finally {
    await tree.close();
  }
}

/** Returns `sha256:` and 64 digits (BA-6). */
export async function digestFolder(root: string): Promise<string> {
  return `sha256:${digestFiles(await readFolder(root))}`;
}

async function readTree(tree: Tree): Promise<KitFile[]> {
  const files: KitFile[] = [];
  const folders = [''];
  let bytes = 0;
  const refuse = (path: string) => bundleError('WORKSPACE_UNSAFE', { params: { path } });
  for (let current = folders.pop(); current !== undefined; current = folders.pop()) {
    for (const name of await tree.list(current)) {
      const path = current === '' ? name : `${current}/${name}`;
      const stats = await tree.describe(path);
      if (!isSafePath(path) || files.length >= MAX_FILES || folders.length >= MAX_FILES) throw refuse(path);
      if (stats?.isDirectory()) {
        folders.push(path);
        continue;
      }
      if (stats !== undefined && !stats.isFile()) throw refuse(path);
      const file = await tree.read(path, MAX_BYTES - bytes);
      if (file === undefined) continue;
      bytes += file.bytes.length;
      files.push({ path, bytes: file.bytes, executable: (file.mode & 0o100) !== 0 });
    }
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
