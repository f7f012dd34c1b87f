import { foldPath, isSafePath } from '@parley/documents/bundle';
import { type BodyOf, bundleRoutes } from '@parley/protocol';
import { toBase64 } from '../../client/base64.ts';

export interface ChosenFile {
  /** Within its kit. */
  readonly path: string;
  readonly file: Blob;
}

/** By the id of the kit. */
export type ChosenFiles = ReadonlyMap<string, readonly ChosenFile[]>;

export type FilesProblem =
  | { readonly code: 'unknownKit'; readonly kit: string }
  | { readonly code: 'unsafePath' | 'twice'; readonly kit: string; readonly path: string }
  | { readonly code: 'tooMany'; readonly kit: string; readonly max: number }
  | { readonly code: 'tooLargeTogether'; readonly size: number; readonly max: number };

type Kits = NonNullable<BodyOf<typeof bundleRoutes.publishBundle>['kits']>;

/** As the route takes them. */
const MAX_FILES = 500;
const MAX_PATH = 500;
const MAX_BODY = bundleRoutes.publishBundle.limit.body;
/** Of a file in the body, besides its path and contents. */
const FRAME = 40;

/** A bundle as its author keeps it: `manifest.json`, and what comes with a kit below `kits/<kit-id>/`. */
export function sortFolder(files: readonly File[]): {
  readonly manifest: File | undefined;
  readonly kits: ChosenFiles;
} {
  const kits = new Map<string, ChosenFile[]>();
  let manifest: File | undefined;
  for (const file of files) {
    const inside = file.webkitRelativePath.split('/').slice(1).join('/');
    if (inside === 'manifest.json') manifest = file;
    const [, kit, path] = /^kits\/([^/]+)\/(.+)$/.exec(inside) ?? [];
    if (kit !== undefined && path !== undefined) kits.set(kit, [...(kits.get(kit) ?? []), { path, file }]);
  }
  return { manifest, kits };
}

interface Known {
  /** The ids of the bundle's kits. */
  readonly kits: readonly string[];
  /** How long the manifest is. */
  readonly manifest: number;
}

/** What the registry would refuse, before anything is sent. */
export function checkFiles(chosen: ChosenFiles, known: Known): FilesProblem[] {
  const problems: FilesProblem[] = [];
  let size = known.manifest;
  for (const [kit, files] of chosen) {
    if (!known.kits.includes(kit)) problems.push({ code: 'unknownKit', kit });
    if (files.length > MAX_FILES) problems.push({ code: 'tooMany', kit, max: MAX_FILES });
    const seen = new Set<string>();
    for (const { path, file } of files) {
      const folded = foldPath(path);
      if (!isSafePath(path) || path.length > MAX_PATH) problems.push({ code: 'unsafePath', kit, path });
      else if (seen.has(folded)) problems.push({ code: 'twice', kit, path });
      seen.add(folded);
      size += Math.ceil(file.size / 3) * 4 + path.length * 3 + FRAME;
    }
  }
  if (size > MAX_BODY) problems.push({ code: 'tooLargeTogether', size, max: MAX_BODY });
  return problems;
}

/** As the registry takes them. A browser does not say which are programs. */
export async function readKits(chosen: ChosenFiles): Promise<Kits> {
  const kits: [string, Kits[string]][] = [];
  for (const [kit, files] of chosen) {
    const read = files.map(async ({ path, file }) => ({
      path,
      data: toBase64(new Uint8Array(await file.arrayBuffer())),
    }));
    kits.push([kit, await Promise.all(read)]);
  }
  return Object.fromEntries(kits);
}
