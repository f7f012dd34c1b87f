import type { Locale } from '@parley/base';
import { type BundleValidation, parseBundle, rejectBundle } from '@parley/documents/bundle';
import { bundleError } from '../bundle-error.ts';
import type { KitFile } from '../kits/kit-file.ts';
import { readFolder } from './read-folder.ts';

export type BundleFolder =
  | { readonly ok: true; readonly manifest: unknown; readonly kitFiles: Map<string, readonly KitFile[]> }
  | { readonly ok: false; readonly validation: BundleValidation };

/** Reads a bundle as its author keeps it: `manifest.json`, and the content of each kit below `kits/<kit-id>/`. */
export async function readBundleFolder(folder: string, locale: Locale = 'en'): Promise<BundleFolder> {
  const files = await readFolder(folder);
  const manifest = files.find(({ path }) => path === 'manifest.json');
  if (manifest === undefined) throw bundleError('NOT_FOUND', { params: { path: 'manifest.json' } });
  const parsed = parseBundle(manifest.bytes);
  if (!parsed.ok) return { ok: false, validation: rejectBundle(parsed.findings, locale) };
  const kitFiles = new Map<string, KitFile[]>();
  for (const file of files) {
    const [, kit, path] = /^kits\/([^/]+)\/(.+)$/.exec(file.path) ?? [];
    if (kit === undefined || path === undefined) continue;
    const list = kitFiles.get(kit) ?? [];
    list.push({ ...file, path });
    kitFiles.set(kit, list);
  }
  return { ok: true, manifest: parsed.value, kitFiles };
}
