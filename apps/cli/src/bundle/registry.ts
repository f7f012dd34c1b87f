import { createHash } from 'node:crypto';
import { bundleError, digestFiles, type KitFile } from '@parley/bundles';
import { hashCanonical, type Json } from '@parley/documents';
import { foldPath, isSafePath } from '@parley/documents/bundle';
import type { GuardedFetch } from '@parley/guarded-fetch';
import { type Api, ApiError } from '@parley/messenger';
import { bundleRoutes, type ReplyOf } from '@parley/protocol';
import { CommandError } from '../command-error.ts';

type Detail = ReplyOf<typeof bundleRoutes.readBundle>;
type Index = Detail['kits'][string];

const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;
const AT_ONCE = 8;

interface Wanted {
  readonly id: string;
  readonly version: string | undefined;
  readonly fetch: GuardedFetch;
  readonly signal: AbortSignal;
}

/** The registry's statement about a bundle. */
export interface Origin {
  readonly registry: string;
  readonly publisher: string;
  readonly digest: string;
  /** The publisher has yanked it; it can still be loaded by its exact version. */
  readonly yanked: boolean;
}

export interface Downloaded {
  readonly origin: Origin;
  readonly manifest: unknown;
  readonly kitFiles: Map<string, readonly KitFile[]>;
}

/** Loads a version with the files of its kits and checks each file and the whole against the registry's digests. */
export async function downloadBundle(api: Api, wanted: Wanted): Promise<Downloaded> {
  const detail = await readDetail(api, wanted);
  const kitFiles = new Map<string, readonly KitFile[]>();
  for (const [kit, index] of Object.entries(detail.kits)) {
    const base = `${api.baseUrl}/bundles/${wanted.id}/versions/${encodeURIComponent(detail.version)}/kits/${encodeURIComponent(kit)}/files/`;
    kitFiles.set(kit, await downloadKit(base, { kit, index }, wanted));
  }
  const kits = Object.fromEntries([...kitFiles].map(([id, files]) => [id, `sha256:${digestFiles(files)}`]));
  const digest = `sha256:${hashCanonical({ manifest: detail.manifest, kits } as unknown as Json)}`;
  const { id, version } = (detail.manifest ?? {}) as { id?: unknown; version?: unknown };
  const isAsked = id === wanted.id && version === detail.version && version === (wanted.version ?? version);
  if (digest !== detail.digest || !isAsked) {
    throw new CommandError('REGISTRY_INVALID', { params: { id: wanted.id } });
  }
  const origin = {
    registry: api.baseUrl,
    publisher: detail.owner.display_name,
    digest: detail.digest,
    yanked: detail.yanked,
  };
  return { origin, manifest: detail.manifest, kitFiles };
}

async function readDetail(api: Api, { id, version, signal }: Wanted): Promise<Detail> {
  try {
    if (version === undefined) return await api.call(bundleRoutes.readBundle, { params: { bundle_id: id }, signal });
    return await api.call(bundleRoutes.readBundleVersion, { params: { bundle_id: id, version }, signal });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    const params = { id: version === undefined ? id : `${id}@${version}`, url: api.baseUrl };
    throw new CommandError('BUNDLE_UNKNOWN', { params });
  }
}

async function downloadKit(
  base: string,
  { kit, index }: { kit: string; index: Index },
  { fetch, signal }: Wanted,
): Promise<KitFile[]> {
  const refuse = (reason: string) => bundleError('MIRROR_INVALID', { params: { kit, reason } });
  const { files } = index;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > MAX_FILES || size > MAX_BYTES) throw refuse('it is too large');
  if (!files.every(({ path }) => isSafePath(path))) throw refuse('its list has an unsafe path');
  if (new Set(files.map(({ path }) => foldPath(path))).size < files.length)
    throw refuse('two of its paths are one file');
  const download = async ({ path, sha256, size: expected, executable }: Index['files'][number]): Promise<KitFile> => {
    const address = base + path.split('/').map(encodeURIComponent).join('/');
    const { status, body } = await fetch(address, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw bundleError('MIRROR_UNAVAILABLE', { cause: error });
    });
    const actual = createHash('sha256').update(body).digest('hex');
    if (status !== 200 || body.length !== expected || actual !== sha256) throw refuse('a file differs from its list');
    return { path, bytes: body, executable };
  };
  const found: KitFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE)
    found.push(...(await Promise.all(files.slice(at, at + AT_ONCE).map(download))));
  return found;
}
