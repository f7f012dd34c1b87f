import { isParleyError, type ParleyError } from '@parley/base';
import type { Bundle, Kit } from '@parley/documents/bundle';
import type { ErrorCode } from '@parley/protocol/errors';
import { bundleError } from '../bundle-error.ts';
import { isShortDigest } from '../kits/digest.ts';
import type { KitFile, KitFiles } from '../kits/kit-file.ts';
import type { OperationOptions } from '../operation-options.ts';
import { type MirrorOptions, resolveMirror, verifyDigest } from './resolve.ts';

export interface LoadKitsOptions extends MirrorOptions, Pick<OperationOptions, 'onProgress'> {
  /** Called for a kit whose content is unavailable. The kit is left out, unless this throws. */
  readonly onUnavailable: (kit: string, error: ParleyError<ErrorCode>) => void;
}

const UNAVAILABLE = ['DIGEST_TOO_SHORT', 'MIRROR_INVALID', 'MIRROR_UNAVAILABLE'] as const;

/** Loads the content of every kit, from the bundle itself or else from its mirror, and verifies all of it (BA-6). */
export async function loadKits(
  bundle: Bundle,
  given: KitFiles,
  options: LoadKitsOptions,
): Promise<Map<string, readonly KitFile[]>> {
  const kits = bundle.kits ?? [];
  const loaded = new Map<string, readonly KitFile[]>();
  for (const [index, kit] of kits.entries()) {
    const files = await loadKit(kit, given.get(kit.id), options).catch((error: unknown) => {
      if (!isParleyError(error, ...UNAVAILABLE)) throw error;
      options.onUnavailable(kit.id, error);
      return undefined;
    });
    if (files !== undefined) loaded.set(kit.id, files);
    options.onProgress?.({ step: 'fetch', done: index + 1, total: kits.length });
  }
  return loaded;
}

async function loadKit(
  kit: Kit,
  given: readonly KitFile[] | undefined,
  options: LoadKitsOptions,
): Promise<readonly KitFile[] | undefined> {
  if (given === undefined) return await resolveMirror(kit, options);
  if (kit.mirror !== undefined && isShortDigest(kit.mirror.digest) && options.allowShortDigest !== true)
    throw bundleError('DIGEST_TOO_SHORT', { params: { kit: kit.id } });
  verifyDigest(kit, given);
  return given;
}
