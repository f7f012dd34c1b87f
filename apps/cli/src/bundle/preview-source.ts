import { type BundleInput, type PreviewResult, previewBundle } from '@parley/bundles';
import type { Words } from '../messages/index.ts';
import { type BundleOptions, readEnvironment } from './environment.ts';
import { loadSource } from './load-source.ts';
import { runtimesFor } from './runtimes.ts';
import type { Source } from './source.ts';

export interface PreviewedSource {
  readonly source: Source;
  readonly input: BundleInput;
  readonly workspace: string;
  readonly result: PreviewResult;
}

/** Loads a bundle and plans its activation here without changing anything. */
export async function previewSource(
  reference: string,
  options: BundleOptions,
  { words, signal }: { words: Words; signal: AbortSignal },
): Promise<PreviewedSource> {
  const { locale } = words;
  const source = await loadSource(reference, { registry: options.registry, locale, signal });
  const { roots, target, mirrors, fetch } = readEnvironment({
    ...options,
    ...(source.registry === undefined ? {} : { registry: source.registry }),
  });
  const runtimes = runtimesFor(source.manifest);
  signal.throwIfAborted();
  const input: BundleInput = {
    manifest: source.manifest,
    kitFiles: source.kitFiles,
    allowShortDigest: options.allowShortDigest === true,
    roots,
    target,
    mirrors,
    fetch,
    runtimes,
    locale,
    signal,
  };
  const { rejected: validation } = source;
  const result: PreviewResult =
    validation === undefined
      ? await previewBundle(input)
      : { ok: false, failure: { code: 'BUNDLE_INVALID', validation } };
  return { source, input, workspace: chooseShown(input, result), result };
}

/** Returns the folder that belongs to the bundle's scope. */
function chooseShown({ roots }: BundleInput, result: PreviewResult): string {
  return result.ok && result.plan.scope === 'global' ? (roots.global ?? roots.workspace) : roots.workspace;
}
