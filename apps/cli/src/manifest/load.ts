import type { Locale } from '@parley/base';
import { type Manifest, parseManifest, toMessage, validateManifest } from '@parley/documents';
import type { CheckedFile } from '../findings.ts';
import { readInput } from '../input.ts';

/** A manifest file that was read, valid or not. */
export interface LoadedManifest extends CheckedFile {
  /** Set only if it is valid. */
  readonly manifest?: Manifest;
}

export async function loadManifest(file: string, locale: Locale): Promise<LoadedManifest> {
  const bytes = await readInput(file);
  const parsed = parseManifest(bytes);
  if (!parsed.ok) return { file, bytes, findings: parsed.findings.map((finding) => toMessage(finding, locale)) };
  return { file, bytes, ...validateManifest(parsed.value, { locale }) };
}
