import type { Bundle, Kit } from '@parley/documents/bundle';
import { BundleError } from '../bundle-error.ts';
import { isShortDigest } from '../kits/digest.ts';
import type { KitFile, KitFiles } from '../kits/kit-file.ts';
import type { OperationOptions } from '../operation-options.ts';
import { type MirrorOptions, resolveMirror, verifyDigest } from './resolve.ts';

export interface LoadKitsOptions extends MirrorOptions, Pick<OperationOptions, 'onProgress'> {
  /** A kit whose content cannot be had is told here and left out; without it, that ends everything. */
  readonly onUnavailable?: ((kit: string, error: BundleError) => void) | undefined;
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['DIGEST_TOO_SHORT', 'MIRROR_INVALID', 'MIRROR_UNAVAILABLE']);

/** The content of every kit: what came with the bundle, else what its mirror has. All of it verified (BA-6). */
export async function loadKits(
  bundle: Bundle,
  given: KitFiles,
  options: LoadKitsOptions,
): Promise<Map<string, readonly KitFile[]>> {
  const kits = bundle.kits ?? [];
  const gathered = new Map<string, readonly KitFile[]>();
  for (const [index, kit] of kits.entries()) {
    const files = await gather(kit, given.get(kit.id), options).catch((error: unknown) => {
      const tell = error instanceof BundleError && UNAVAILABLE.has(error.code) ? options.onUnavailable : undefined;
      if (tell === undefined) throw error;
      tell(kit.id, error as BundleError);
      return undefined;
    });
    if (files !== undefined) gathered.set(kit.id, files);
    options.onProgress?.({ step: 'fetch', done: index + 1, total: kits.length });
  }
  return gathered;
}

async function gather(
  kit: Kit,
  given: readonly KitFile[] | undefined,
  options: LoadKitsOptions,
): Promise<readonly KitFile[] | undefined> {
  if (given === undefined) return await resolveMirror(kit, options);
  if (kit.mirror !== undefined && isShortDigest(kit.mirror.digest) && options.allowShortDigest !== true)
    throw new BundleError('DIGEST_TOO_SHORT', { params: { kit: kit.id } });
  verifyDigest(kit, given);
  return given;
}
