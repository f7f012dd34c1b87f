import { foldPath, isSafePath } from '@parley/documents/bundle';
import { type BodyOf, bundleRoutes } from '@parley/protocol';
import { toBase64 } from '../../client/base64.ts';

export interface ChosenFile {
  /** The path inside the kit. */
  readonly path: string;
  readonly file: Blob;
}

/** The files by the id of their kit. */
export type ChosenFiles = ReadonlyMap<string, readonly ChosenFile[]>;

export type FilesProblem =
  | { readonly code: 'unknownKit'; readonly kit: string }
  | { readonly code: 'unsafePath' | 'twice'; readonly kit: string; readonly path: string }
  | { readonly code: 'tooMany'; readonly kit: string; readonly max: number }
  | { readonly code: 'tooLargeTogether'; readonly size: number; readonly max: number };

type Kits = NonNullable<BodyOf<typeof bundleRoutes.publishBundle>['kits']>;

/** The limits of the route. */
const MAX_FILES = 500;
const MAX_PATH = 500;
const MAX_BODY = bundleRoutes.publishBundle.limit.body;
/** The size of a file's entry in the body, without its path and contents. */
const FRAME = 40;

/** Sorts the folder of a bundle: `manifest.json`, and the files of each kit below `kits/<kit-id>/`. */
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
  /** The length of the manifest. */
  readonly manifest: number;
}

/** Finds what the registry would refuse, before anything is sent. */
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

/** Converts the files for the registry. A browser does not tell which of them are executable. */
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
