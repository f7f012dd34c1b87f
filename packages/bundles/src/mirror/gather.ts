import type { Bundle, Kit } from '@parley/documents/bundle';
import { BundleError } from '../failure.ts';
import type { Control } from '../life/control.ts';
import type { KitFile, KitFiles } from '../project/projection.ts';
import { isShortDigest } from './digest.ts';
import { type MirrorOptions, resolveMirror, verifyDigest } from './resolve.ts';

export interface GatherOptions extends MirrorOptions, Pick<Control, 'onProgress'> {
  /** A kit whose content cannot be had is told here and left out; without it, that ends everything. */
  readonly onUnavailable?: ((kit: string, error: BundleError) => void) | undefined;
}

const UNAVAILABLE: ReadonlySet<string> = new Set(['DIGEST_TOO_SHORT', 'MIRROR_INVALID', 'MIRROR_UNAVAILABLE']);

/** The content of every kit: what came with the bundle, else what its mirror has. All of it verified (BA-6). */
export async function gatherKits(
  bundle: Bundle,
  given: KitFiles,
  options: GatherOptions,
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
  options: GatherOptions,
): Promise<readonly KitFile[] | undefined> {
  if (given === undefined) return await resolveMirror(kit, options);
  if (kit.mirror !== undefined && isShortDigest(kit.mirror.digest) && options.allowShortDigest !== true)
    throw new BundleError('DIGEST_TOO_SHORT', { params: { kit: kit.id } });
  verifyDigest(kit, given);
  return given;
}
