import { statSync } from 'node:fs';
import type { Locale } from '@parley/base';
import { type KitFiles, readBundleFolder } from '@parley/bundles';
import { type BundleValidation, parseBundle, rejectBundle } from '@parley/documents/bundle';
import { readInput, STDIN } from '../input.ts';
import type { Origin } from './registry.ts';

/** A bundle from any source, not yet validated. */
export interface Source {
  readonly name: string;
  /** The manifest's text, if findings can be shown with line numbers. */
  readonly bytes: Uint8Array;
  /** The parsed manifest, or why it is not JSON. */
  readonly manifest: unknown;
  readonly rejected: BundleValidation | undefined;
  readonly kitFiles: KitFiles;
  /** The host it came from, which also serves the `official` mirror. */
  readonly registry: string | undefined;
  readonly origin: Origin | undefined;
}

export interface SourceOptions {
  readonly registry?: string | undefined;
  readonly locale: Locale;
  readonly signal: AbortSignal;
}

/** Matches `id` and `id@version` of the registry. */
export const ID = /^([a-z0-9]+(?:-[a-z0-9]+)*)(?:@([0-9A-Za-z.+-]+))?$/;

/** Loads a folder or file of this machine; `-` reads the manifest from standard input. */
export async function loadLocal(path: string, locale: Locale): Promise<Source> {
  if (path !== STDIN && statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const file = `${path.replace(/\/+$/, '')}/manifest.json`;
    const bytes = await readInput(file);
    const folder = await readBundleFolder(path, locale);
    if (!folder.ok) return { ...nowhere(file, bytes), rejected: folder.validation };
    return { ...nowhere(file, bytes), manifest: folder.manifest, kitFiles: folder.kitFiles };
  }
  return readText(path, await readInput(path), locale);
}

export function readText(name: string, bytes: Uint8Array, locale: Locale): Source {
  const parsed = parseBundle(bytes);
  if (!parsed.ok) return { ...nowhere(name, bytes), rejected: rejectBundle(parsed.findings, locale) };
  return { ...nowhere(name, bytes), manifest: parsed.value };
}

export const nowhere = (name: string, bytes: Uint8Array): Source => ({
  name,
  bytes,
  manifest: undefined,
  rejected: undefined,
  kitFiles: new Map(),
  registry: undefined,
  origin: undefined,
});
