import { fillText, isParleyError, type Locale, type Texts } from '@parley/base';
import { displayText } from '@parley/documents';
import { findBlock } from '../blocks/block.ts';
import type { InstalledBundle } from '../files/state.ts';
import type { Tree } from '../files/tree.ts';
import { TARGETS } from '../project/project.ts';
import type { Target } from '../project/projection.ts';
import { sha256 } from '../sha256.ts';

/** A file that differs from what was installed (BA-6). */
export interface Drift {
  readonly bundleId: string;
  readonly path: string;
  readonly problem: 'changed' | 'missing' | 'added' | 'block_changed' | 'not_a_file';
}

const TEXTS: Readonly<Record<Drift['problem'], Texts>> = {
  changed: { en: '{path} is not what was installed.', 'zh-CN': '{path} 与安装时不同。' },
  missing: { en: '{path} is missing.', 'zh-CN': '{path} 缺失。' },
  added: { en: '{path} was not installed.', 'zh-CN': '{path} 不是安装的文件。' },
  block_changed: { en: 'The block in {path} is not what was installed.', 'zh-CN': '{path} 中的标记块与安装时不同。' },
  not_a_file: { en: '{path} is no longer a plain file.', 'zh-CN': '{path} 已不是普通文件。' },
};

export const describeDrift = ({ path, problem }: Drift, locale: Locale): string =>
  fillText(TEXTS[problem][locale], { path }, (value) => displayText(String(value)));

/** Compares every file of a bundle with its digest, and looks for new files in the folders of its kits. */
export async function findDrift(tree: Tree, bundle: InstalledBundle): Promise<Drift[]> {
  const drift: Drift[] = [];
  const report = (path: string, problem: Drift['problem']) => drift.push({ bundleId: bundle.id, path, problem });
  for (const { kind, path, digest } of bundle.files) {
    const bytes = await readBytes(tree, path);
    if (bytes === undefined) report(path, 'missing');
    else if (bytes === 'other') report(path, 'not_a_file');
    else if (kind === 'own' && sha256(bytes) !== digest) report(path, 'changed');
    else if (kind === 'block') {
      const block = findBlock(bytes, bundle.id);
      if (block.found !== true || sha256(block.bytes) !== digest) report(path, 'block_changed');
    }
  }
  for (const path of await findAdded(tree, bundle)) report(path, 'added');
  return drift;
}

async function readBytes(tree: Tree, path: string): Promise<Buffer | 'other' | undefined> {
  try {
    return (await tree.read(path))?.bytes;
  } catch (error) {
    if (isParleyError(error, 'WORKSPACE_UNSAFE')) return 'other';
    throw error;
  }
}

/** A runtime would also read files that someone put beside ours. */
async function findAdded(tree: Tree, { files, members, target }: InstalledBundle): Promise<string[]> {
  const known = new Set(files.map(({ path }) => path));
  const adapter: Target | undefined = Object.hasOwn(TARGETS, target)
    ? TARGETS[target as keyof typeof TARGETS]
    : undefined;
  const folders = members.map((id) => adapter?.kitFolder(id) ?? '');
  const owned = folders.filter((folder) => folder !== '' && files.some(({ path }) => path.startsWith(`${folder}/`)));
  const added: string[] = [];
  for (const folder of owned) {
    for (const path of await listBelow(tree, folder)) if (!known.has(path)) added.push(path);
  }
  return added;
}

async function listBelow(tree: Tree, folder: string): Promise<string[]> {
  const stats = await tree.describe(folder);
  if (stats?.isDirectory() !== true) return [];
  const paths: string[] = [];
  for (const name of await tree.list(folder)) {
    const path = `${folder}/${name}`;
    if ((await tree.describe(path))?.isDirectory()) paths.push(...(await listBelow(tree, path)));
    else paths.push(path);
  }
  return paths;
}
