import { join } from 'node:path';
import { isParleyError, type ParleyError } from '@parley/base';
import type { Kit } from '@parley/documents/bundle';
import { isSafePath } from '@parley/documents/bundle';
import type { GuardedFetch } from '@parley/guarded-fetch';
import { bundleError } from '../bundle-error.ts';
import { codeOf } from '../files/file-system.ts';
import { inParallel } from '../files/in-parallel.ts';
import { digestFiles, isShortDigest, matchesDigest } from '../kits/digest.ts';
import type { KitFile } from '../kits/kit-file.ts';
import { sha256 } from '../sha256.ts';
import { type MirrorEntry, readMirrorIndex } from './mirror-index.ts';
import { readFolder } from './read-folder.ts';

const SCHEME = /^roleos-mirror:\/\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:\/(.*))?$/;

export interface MirrorOptions {
  /** Where `roleos-mirror://<name>` is: the address of a mirror, or a folder. */
  readonly mirrors?: Readonly<Record<string, { readonly url: string } | { readonly folder: string }>> | undefined;
  /** Required for mirrors with an address. */
  readonly fetch?: GuardedFetch | undefined;
  /**
   * Accepts a digest of fewer than 64 digits: anyone who finds another content with this prefix can replace the kit.
   */
  readonly allowShortDigest?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Fetches the content of a kit and verifies it against its digest (BA-6). A kit without a mirror has no content. */
export async function resolveMirror(kit: Kit, options: MirrorOptions): Promise<KitFile[] | undefined> {
  const { mirror } = kit;
  if (mirror === undefined) return undefined;
  const refuse = (reason: string) => bundleError('MIRROR_INVALID', { params: { kit: kit.id, reason } });
  if (isShortDigest(mirror.digest) && options.allowShortDigest !== true)
    throw bundleError('DIGEST_TOO_SHORT', { params: { kit: kit.id } });
  const [, name = '', path = ''] = SCHEME.exec(mirror.source ?? '') ?? [];
  const place = Object.hasOwn(options.mirrors ?? {}, name) ? options.mirrors?.[name] : undefined;
  if (name === '') throw refuse('its source is not roleos-mirror://<name>');
  if (place === undefined) throw refuse(`no mirror called ${name} is configured`);
  const location = path === '' ? (mirror.clawHubRef ?? kit.id).replace('@', '/') : path.replace(/\/$/, '');
  if (!isSafePath(location)) throw refuse('its source has an unsafe path');
  const files =
    'folder' in place
      ? await readLocal(join(place.folder, location), refuse)
      : await download(`${place.url.replace(/\/?$/, '/')}${encodePath(location)}/`, options, refuse);
  verifyDigest(kit, files);
  return files;
}

/** Throws if the content differs from what the manifest locked. */
export function verifyDigest({ id, mirror }: Kit, files: readonly KitFile[]): void {
  const actual = digestFiles(files);
  if (mirror !== undefined && !matchesDigest(mirror.digest, actual))
    throw bundleError('DIGEST_MISMATCH', { params: { kit: id, actual: `sha256:${actual}` } });
}

async function readLocal(folder: string, refuse: (reason: string) => ParleyError): Promise<KitFile[]> {
  try {
    return await readFolder(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw refuse('the mirror does not have it');
    throw error;
  }
}

async function download(
  base: string,
  { fetch, signal }: MirrorOptions,
  refuse: (reason: string) => ParleyError,
): Promise<KitFile[]> {
  if (fetch === undefined) throw refuse('it has an address, but nothing that may fetch from it');
  const get = async (url: string): Promise<Uint8Array> => {
    signal?.throwIfAborted();
    const { status, body, truncated } = await fetch(url, signal === undefined ? {} : { signal }).catch((error) => {
      signal?.throwIfAborted();
      if (isParleyError(error, 'FETCH_BLOCKED')) throw refuse('its address is not allowed');
      throw bundleError('MIRROR_UNAVAILABLE', { cause: error });
    });
    if (status >= 500 || status === 429) throw bundleError('MIRROR_UNAVAILABLE');
    if (status !== 200) throw refuse('the mirror does not have it');
    if (truncated) throw refuse('a file of it is too large');
    return body;
  };
  const read = readMirrorIndex(await get(`${base}index.json`));
  if ('problem' in read) throw refuse(read.problem);
  const files: KitFile[] = [];
  await inParallel(read.index.files, async (entry: MirrorEntry) => {
    const bytes = await get(`${base}files/${encodePath(entry.path)}`);
    if (bytes.length !== entry.size || sha256(bytes) !== entry.sha256) throw refuse('a file differs from its index');
    files.push({ path: entry.path, bytes, executable: entry.executable });
  });
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
