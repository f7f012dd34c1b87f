import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, relative, resolve, sep } from 'node:path';
import { displayValue } from '@parley/documents';
import type { Edge } from '../types.ts';

/** The edge of a file is the folder that directly holds it (CG-15). `folder` is free of links. */
export async function folderEdge(folder: string): Promise<Edge> {
  return toEdge(folder, (await foldsCase(folder)) ? folder.toLowerCase() : folder);
}

/** The same for a folder that is not looked at. */
export function unseenFolderEdge(folder: string): Edge {
  return toEdge(folder, folder);
}

function toEdge(folder: string, id: string): Edge {
  const { text, cut } = displayValue(abbreviate(folder), 600);
  // A page joins spaces, and then two folders would look the same.
  const shown = text.replaceAll(/ {2,}/g, (run) => `[${run.length} × U+0020]`) + (cut > 0 ? '…' : '');
  return {
    id: `folder ${id}`,
    text: { en: `files directly in the folder ${shown}`, 'zh-CN': `直接位于文件夹 ${shown} 中的文件` },
  };
}

/**
 * The folder that a path leads to, after links. Where there is no such file, it is the folder where it would be: that it
 * is missing is found out only after the person has agreed.
 */
export async function findFolder(path: string): Promise<string> {
  const target = await realpath(path).catch(() => undefined);
  if (target !== undefined) return dirname(target);
  return realpath(dirname(path)).catch(() => dirname(path));
}

/** Are `Notes` and `notes` one folder here? The whole path has to lead to the same place in the other case. */
async function foldsCase(folder: string): Promise<boolean> {
  const lower = folder.toLowerCase();
  const other = lower === folder ? folder.toUpperCase() : lower;
  if (other === folder) return false;
  const [one, two] = await Promise.all([folder, other].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}

function abbreviate(folder: string): string {
  const way = relative(resolve(homedir()), folder);
  if (way === '') return '~';
  return way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way ? folder : `~${sep}${way}`;
}
