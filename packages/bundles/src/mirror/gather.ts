import type { Bundle } from '@parley/documents/bundle';
import { BundleError } from '../failure.ts';
import type { Control } from '../life/control.ts';
import type { KitFile, KitFiles } from '../project/projection.ts';
import { isShortDigest } from './digest.ts';
import { type MirrorOptions, resolveMirror, verifyDigest } from './resolve.ts';

/** The content of every kit: what came with the bundle, else what its mirror has. All of it verified (BA-6). */
export async function gatherKits(
  bundle: Bundle,
  given: KitFiles,
  options: MirrorOptions & Pick<Control, 'onProgress'>,
): Promise<Map<string, readonly KitFile[]>> {
  const kits = bundle.kits ?? [];
  const gathered = new Map<string, readonly KitFile[]>();
  for (const [index, kit] of kits.entries()) {
    const own = given.get(kit.id);
    if (own !== undefined) {
      if (kit.mirror !== undefined && isShortDigest(kit.mirror.digest) && options.allowShortDigest !== true)
        throw new BundleError('DIGEST_TOO_SHORT', { params: { kit: kit.id } });
      verifyDigest(kit, own);
    }
    const files = own ?? (await resolveMirror(kit, options));
    if (files !== undefined) gathered.set(kit.id, files);
    options.onProgress?.({ step: 'fetch', done: index + 1, total: kits.length });
  }
  return gathered;
}
