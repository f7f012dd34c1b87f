import { parseJson } from '@parley/documents';
import { foldPath, isSafePath } from '@parley/documents/bundle';
import type { KitFile } from '../kits/kit-file.ts';
import { sha256 } from '../sha256.ts';

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_INDEX_BYTES = 1024 * 1024;

/** The index of a mirror: a list of files that are served beside it. There are no archives to unpack. */
export interface MirrorIndex {
  readonly version: 1;
  readonly files: readonly MirrorEntry[];
}

export interface MirrorEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
  readonly executable: boolean;
}

/** Builds the `index.json` of a mirror, for those who host one. Each file is served below `files/`. */
export function buildMirrorIndex(files: readonly KitFile[]): MirrorIndex {
  const entries = files.map(({ path, bytes, executable = false }) => ({
    path,
    sha256: sha256(bytes),
    size: bytes.length,
    executable,
  }));
  return { version: 1, files: entries };
}

/**
 * Returns a problem if the index cannot be trusted: a path that climbs out, two paths for one file, too much of
 * anything.
 */
export function readMirrorIndex(body: Uint8Array): { index: MirrorIndex } | { problem: string } {
  const parsed = parseJson(body, { maxLength: MAX_INDEX_BYTES });
  if (!parsed.ok) return { problem: 'its index is not JSON' };
  const value = parsed.value as unknown as Partial<MirrorIndex> | null;
  if (value?.version !== 1 || !Array.isArray(value.files)) return { problem: 'its index has an unknown form' };
  if (value.files.length > MAX_FILES) return { problem: `its index has more than ${MAX_FILES} files` };
  const files: MirrorEntry[] = [];
  for (const entry of value.files as readonly unknown[]) {
    const read = readEntry(entry);
    if (read === undefined) return { problem: 'its index has an unsafe path or an incomplete entry' };
    files.push(read);
  }
  if (new Set(files.map(({ path }) => foldPath(path))).size < files.length)
    return { problem: 'two paths of its index are the same file on some systems' };
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    return { problem: `its files have more than ${MAX_BYTES} bytes` };
  return { index: { version: 1, files } };
}

function readEntry(value: unknown): MirrorEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { path, sha256: digest, size, executable = false } = value as Partial<Record<keyof MirrorEntry, unknown>>;
  if (typeof path !== 'string' || !isSafePath(path)) return undefined;
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0 || typeof executable !== 'boolean')
    return undefined;
  return { path, sha256: digest, size, executable };
}
