import type { Locale } from '@parley/base';
import {
  type Bundle,
  type BundleValidation,
  type Migrations,
  type Runtime,
  readBundle,
} from '@parley/documents/bundle';
import { BundleError } from '../bundle-error.ts';
import { digestFiles } from '../kits/digest.ts';
import type { KitFiles } from '../kits/kit-file.ts';
import { type LoadKitsOptions, loadKits } from '../mirror/load-kits.ts';
import type { MirrorOptions } from '../mirror/resolve.ts';
import type { OperationOptions } from '../operation-options.ts';
import { project, type TargetId } from '../project/project.ts';
import { chooseRoot, type Roots } from './roots.ts';

export interface BundleInput extends MirrorOptions, OperationOptions {
  /** As parsed from JSON; of any origin. */
  readonly manifest: unknown;
  readonly roots: Roots;
  /** `openclaw` unless told. */
  readonly target?: TargetId | undefined;
  /** Content that came with the bundle; the mirror is asked for the rest. */
  readonly kitFiles?: KitFiles | undefined;
  /** Found on this machine (BV-5). */
  readonly runtimes?: readonly Runtime[] | undefined;
  readonly migrations?: Migrations | undefined;
  readonly locale?: Locale | undefined;
}

export interface Prepared {
  readonly bundle: Bundle;
  readonly validation: BundleValidation;
  readonly kitFiles: KitFiles;
  readonly root: string;
  readonly target: TargetId;
  readonly locale: Locale;
  /** Every path that the plan may touch. */
  readonly paths: readonly string[];
}

export type Invalid = { readonly code: 'BUNDLE_INVALID'; readonly validation: BundleValidation };

/** Everything before the workspace: validate, fetch, verify. Nothing is written. */
export async function prepare(
  input: BundleInput & Pick<LoadKitsOptions, 'onUnavailable'>,
): Promise<Prepared | { readonly failure: Invalid }> {
  const { manifest, target = 'openclaw', locale = 'en', roots, kitFiles: given = new Map() } = input;
  const options = {
    locale,
    ...(input.runtimes === undefined ? {} : { runtimes: input.runtimes }),
    ...(input.migrations === undefined ? {} : { migrations: input.migrations }),
  };
  const first = readBundle(manifest, options);
  if (first.bundle === undefined) return { failure: { code: 'BUNDLE_INVALID', validation: first.validation } };
  const { bundle } = first;
  const root = chooseRoot(bundle.activationScope ?? 'workspace', roots);
  let kitFiles: KitFiles;
  try {
    kitFiles = await loadKits(bundle, given, input);
  } catch (error) {
    const digests = findMismatch(error);
    if (digests === undefined) throw error;
    const { validation } = readBundle(manifest, { ...options, kitDigests: digests });
    return { failure: { code: 'BUNDLE_INVALID', validation } };
  }
  const paths = project({ bundle, kitFiles, locale }, target).files.map(({ path }) => path);
  const kitDigests = new Map([...kitFiles].map(([id, files]) => [id, `sha256:${digestFiles(files)}`]));
  const { validation } = readBundle(manifest, { ...options, kitDigests, planPaths: paths });
  if (!validation.valid) return { failure: { code: 'BUNDLE_INVALID', validation } };
  return { bundle, validation, kitFiles, root, target, locale, paths };
}

/** A content that differs from its digest is an error of level 3 (BV-3). */
function findMismatch(error: unknown): ReadonlyMap<string, string> | undefined {
  if (!(error instanceof BundleError) || error.code !== 'DIGEST_MISMATCH') return undefined;
  const { kit = '', actual = '' } = error.params;
  return new Map([[kit, actual]]);
}
