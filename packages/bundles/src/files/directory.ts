import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleError } from '../bundle-error.ts';
import { codeOf, type FileSystem, unless } from './file-system.ts';

const AS_DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** On Linux a path can begin with a descriptor, which replaces `openat`. */
const BY_DESCRIPTOR = process.platform === 'linux';

/**
 * An open directory. Every operation happens in this very directory, whatever its path leads to in the meantime:
 * someone who swaps a directory for a symbolic link between a check and a write gains nothing (BA-3).
 */
export class Directory {
  /** The path relative to the workspace, with slashes; empty for the workspace itself. */
  readonly path: string;
  readonly #files: FileSystem;
  readonly #handle: FileHandle;
  readonly #real: string;

  private constructor(files: FileSystem, handle: FileHandle, place: { path: string; real: string }) {
    this.#files = files;
    this.#handle = handle;
    this.#real = place.real;
    this.path = place.path;
  }

  /** The only place where a link is followed: a user may name a workspace by a link. */
  static async openRoot(files: FileSystem, path: string): Promise<Directory> {
    const real = await files.realpath(path);
    return new Directory(files, await files.open(real, AS_DIRECTORY), { path: '', real });
  }

  /** Returns undefined if nothing has this name. */
  async open(name: string): Promise<Directory | undefined> {
    const path = this.path === '' ? name : `${this.path}/${name}`;
    try {
      const handle = await this.#files.open(await this.at(name), AS_DIRECTORY);
      return new Directory(this.#files, handle, { path, real: join(this.#real, name) });
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP' || code === 'ENOTDIR')
        throw bundleError('WORKSPACE_UNSAFE', { params: { path }, cause: error });
      throw error;
    }
  }

  /** The path of an entry. It is valid for the next call only. */
  async at(name: string): Promise<string> {
    if (BY_DESCRIPTOR) return `/proc/self/fd/${this.#handle.fd}/${name}`;
    if ((await this.#files.realpath(this.#real)) !== this.#real)
      throw bundleError('WORKSPACE_UNSAFE', { params: { path: this.path } });
    return join(this.#real, name);
  }

  /** Is the directory still where it was found? */
  async isInPlace(): Promise<boolean> {
    const there = await unless(['ENOENT', 'ENOTDIR'], () => this.#files.lstat(this.#real));
    const here = await this.#handle.stat();
    return there !== undefined && here.ino === there.ino && here.dev === there.dev;
  }

  async list(): Promise<string[]> {
    return await this.#files.readdir(BY_DESCRIPTOR ? `/proc/self/fd/${this.#handle.fd}` : this.#real);
  }

  /** Makes its entries survive a power cut. Windows has no such call and does not need it. */
  async sync(): Promise<void> {
    if (process.platform !== 'win32') await this.#handle.sync();
  }

  async mode(): Promise<number> {
    return (await this.#handle.stat()).mode & 0o7777;
  }

  async setMode(mode: number): Promise<void> {
    await this.#handle.chmod(mode);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
