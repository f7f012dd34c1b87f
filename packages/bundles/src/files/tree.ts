import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { bundleError } from '../bundle-error.ts';
import { sha256 } from '../sha256.ts';
import { Directory } from './directory.ts';
import { codeOf, type FileSystem, unless } from './file-system.ts';

const TO_READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const TO_WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface ReadFile {
  readonly bytes: Buffer;
  readonly digest: string;
  readonly mode: number;
  readonly links: number;
  readonly inode: string;
}

/**
 * The files below one root, by paths with slashes. No path leads through a symbolic link. Directories stay open as long
 * as the tree, so that all steps of a change happen in the same ones.
 */
export class Tree {
  readonly files: FileSystem;
  readonly #open = new Map<string, Directory>();

  private constructor(files: FileSystem, root: Directory) {
    this.files = files;
    this.#open.set('', root);
  }

  static async open(files: FileSystem, root: string): Promise<Tree> {
    return new Tree(files, await Directory.openRoot(files, root));
  }

  async directory(path: string): Promise<Directory | undefined> {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const { parent, name } = split(path);
    const found = await (await this.directory(parent))?.open(name);
    // Two calls that open it at the same time keep one of the two.
    const winner = this.#open.get(path);
    if (winner !== undefined) {
      await found?.close();
      return winner;
    }
    if (found !== undefined) this.#open.set(path, found);
    return found;
  }

  /** The path of a file, which need not exist; its directory must. */
  async locate(path: string): Promise<{ directory: Directory; at: string }> {
    const { parent, name } = split(path);
    const directory = await this.directory(parent);
    if (directory === undefined) throw bundleError('WORKSPACE_UNSAFE', { params: { path: parent } });
    return { directory, at: await directory.at(name) };
  }

  /** Returns undefined if there is nothing. A link is described, not followed. */
  async describe(path: string): Promise<Stats | undefined> {
    const { parent, name } = split(path);
    const directory = await this.directory(parent);
    if (directory === undefined) return undefined;
    return await unless(['ENOENT'], async () => await this.files.lstat(await directory.at(name)));
  }

  async list(path: string): Promise<string[]> {
    return (await (await this.directory(path))?.list()) ?? [];
  }

  /** Returns undefined if there is nothing, and throws if it is not a regular file. */
  async read(path: string, maxBytes = MAX_FILE_BYTES): Promise<ReadFile | undefined> {
    const { parent, name } = split(path);
    const directory = await this.directory(parent);
    if (directory === undefined) return undefined;
    const unsafe = (cause?: unknown) => bundleError('WORKSPACE_UNSAFE', { params: { path }, cause });
    try {
      const handle = await this.files.open(await directory.at(name), TO_READ);
      try {
        const { mode, nlink, ino, dev, size, ...stats } = await handle.stat();
        if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > maxBytes) throw unsafe(stats);
        const bytes = await handle.readFile();
        return { bytes, digest: sha256(bytes), mode: mode & 0o7777, links: nlink, inode: `${dev}:${ino}` };
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      if (codeOf(error) === 'ELOOP') throw unsafe(error);
      throw error;
    }
  }

  /** Writes a new file, which is on the disk when this returns. Its name is not: see `sync`. */
  async write(path: string, bytes: Uint8Array, mode: number): Promise<void> {
    const handle = await this.files.open((await this.locate(path)).at, TO_WRITE, mode);
    try {
      await handle.writeFile(bytes);
      // The umask may have removed permissions.
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** @returns false if the directory already exists. */
  async makeDirectory(path: string, mode?: number): Promise<boolean> {
    const { at } = await this.locate(path);
    const made = await unless(['EEXIST'], async () => {
      await this.files.mkdir(at);
      return true;
    });
    const directory = await this.directory(path);
    if (directory === undefined) throw bundleError('WORKSPACE_UNSAFE', { params: { path } });
    if (made && mode !== undefined) await directory.setMode(mode);
    return made ?? false;
  }

  /** @returns false if the directory is not empty or does not exist. */
  async removeDirectory(path: string): Promise<boolean> {
    if ((await this.describe(path)) === undefined) return false;
    const { at } = await this.locate(path);
    const removed = await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'], async () => {
      await this.files.rmdir(at);
      return true;
    });
    if (removed) await this.#forget(path);
    return removed ?? false;
  }

  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [await this.locate(from), await this.locate(to)];
    await this.files.rename(source.at, target.at);
  }

  async link(from: string, to: string): Promise<void> {
    const [source, target] = [await this.locate(from), await this.locate(to)];
    await this.files.link(source.at, target.at);
  }

  async unlink(path: string): Promise<void> {
    const { at } = await this.locate(path);
    await unless(['ENOENT'], () => this.files.unlink(at));
  }

  /** Removes a path and everything below it; links are removed, not followed. */
  async removeAll(path: string): Promise<void> {
    const stats = await this.describe(path);
    if (stats === undefined) return;
    if (!stats.isDirectory()) return await this.unlink(path);
    for (const name of await this.list(path)) await this.removeAll(`${path}/${name}`);
    await this.removeDirectory(path);
  }

  async sync(paths: Iterable<string>): Promise<void> {
    await Promise.all([...new Set(paths)].map(async (path) => await (await this.directory(path))?.sync()));
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((directory) => directory.close()));
  }

  async #forget(path: string): Promise<void> {
    for (const [known, directory] of this.#open) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      this.#open.delete(known);
      await directory.close();
    }
  }
}

export function split(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? { parent: '', name: path } : { parent: path.slice(0, slash), name: path.slice(slash + 1) };
}
