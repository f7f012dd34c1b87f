import { isParleyError, type Locale, type ParleyError } from '@parley/base';
import {
  type Bundle,
  type BundleValidation,
  findPlanPathProblems,
  type Migrations,
  type Runtime,
  readBundle,
} from '@parley/documents/bundle';
import type { ErrorCode } from '@parley/protocol/errors';
import type { KitFiles } from '../kits/kit-file.ts';
import { type LoadKitsOptions, loadKits } from '../mirror/load-kits.ts';
import type { MirrorOptions } from '../mirror/resolve.ts';
import type { OperationOptions } from '../operation-options.ts';
import { project, type TargetId } from '../project/project.ts';
import type { WorkspaceProjection } from '../project/projection.ts';
import { chooseRoot, type Roots } from './roots.ts';

export interface BundleInput extends MirrorOptions, OperationOptions {
  /** The manifest as parsed JSON, from any source. */
  readonly manifest: unknown;
  readonly roots: Roots;
  /** `openclaw` by default. */
  readonly target?: TargetId | undefined;
  /**
   * The content that came with the bundle, or a function that finds it once the bundle is valid. The rest comes from
   * the mirror.
   */
  readonly kitFiles?: KitFiles | ((bundle: Bundle) => Promise<KitFiles>) | undefined;
  /** The runtimes of this machine (BV-5). */
  readonly runtimes?: readonly Runtime[] | undefined;
  readonly migrations?: Migrations | undefined;
  readonly locale?: Locale | undefined;
}

/**
 * A bundle that was validated, fetched, verified and projected: all that an activation needs, apart from the workspace.
 */
export interface PreparedBundle {
  readonly bundle: Bundle;
  readonly validation: BundleValidation;
  readonly roots: Roots;
  /** The root that it goes into. */
  readonly root: string;
  readonly target: TargetId;
  readonly projection: WorkspaceProjection;
  /** Why the content of a kit is unavailable, by kit id. If there is any, nothing is activated. */
  readonly unavailable: ReadonlyMap<string, ParleyError<ErrorCode>>;
}

export type Invalid = { readonly code: 'BUNDLE_INVALID'; readonly validation: BundleValidation };

/**
 * Validates, fetches and projects a bundle without touching the workspace. With `withoutContent`, unavailable kits are
 * skipped and listed.
 */
export async function prepareBundle(
  input: BundleInput,
  { withoutContent }: { readonly withoutContent: boolean },
): Promise<PreparedBundle | { readonly failure: Invalid }> {
  const { manifest, target = 'openclaw', locale = 'en', roots, kitFiles: given = new Map() } = input;
  const options = {
    locale,
    ...(input.runtimes === undefined ? {} : { runtimes: input.runtimes }),
    ...(input.migrations === undefined ? {} : { migrations: input.migrations }),
  };
  const { bundle, validation } = readBundle(manifest, options);
  if (bundle === undefined) return { failure: { code: 'BUNDLE_INVALID', validation } };
  const root = chooseRoot(bundle.activationScope ?? 'workspace', roots);
  const unavailable = new Map<string, ParleyError<ErrorCode>>();
  const onUnavailable: LoadKitsOptions['onUnavailable'] = (kit, error) => {
    if (!withoutContent) throw error;
    unavailable.set(kit, error);
  };
  let kitFiles: KitFiles;
  try {
    const content = typeof given === 'function' ? await given(bundle) : given;
    kitFiles = await loadKits(bundle, content, { ...input, onUnavailable });
  } catch (error) {
    const kitDigests = findMismatch(error);
    if (kitDigests === undefined) throw error;
    return {
      failure: { code: 'BUNDLE_INVALID', validation: readBundle(manifest, { ...options, kitDigests }).validation },
    };
  }
  const projection = project({ bundle, kitFiles, locale }, target);
  const planPaths = projection.files.map(({ path }) => path);
  // The contents of the kits are verified by now, so only the paths were not covered by the validation above.
  if (findPlanPathProblems(planPaths).length > 0)
    return {
      failure: { code: 'BUNDLE_INVALID', validation: readBundle(manifest, { ...options, planPaths }).validation },
    };
  return { bundle, validation, roots, root, target, projection, unavailable };
}

/** A content that differs from its digest is an error of level 3 (BV-3). */
function findMismatch(error: unknown): ReadonlyMap<string, string> | undefined {
  if (!isParleyError(error, 'DIGEST_MISMATCH')) return undefined;
  const { kit, actual } = error.params;
  return new Map([[String(kit), String(actual)]]);
}
