import type { Locale, ParleyError } from '@parley/base';
import { displayText, parseJson } from '@parley/documents';
import {
  type Bundle,
  type BundleDiff,
  type BundlePreview,
  previewBundle as describeBundle,
  diffBundles,
  readBundle,
  renderMarkdown,
} from '@parley/documents/bundle';
import type { ErrorCode } from '@parley/protocol/errors';
import { bundleFolder } from '../files/layout.ts';
import { type Plan, planActivation } from '../plan/plan.ts';
import { type LiveFile, readWorkspaceState } from '../plan/workspace-state.ts';
import type { Missing } from '../project/missing.ts';
import { describeMissing } from '../project/missing.ts';
import { type BundleInput, type Invalid, type PreparedBundle, prepareBundle } from './prepare.ts';
import { listActiveElsewhere } from './roots.ts';

export interface ShadowPreview {
  /** The reply of `POST /api/shadow-preview` (BA-1). */
  readonly reply: { readonly preview: BundlePreview; readonly markdown: string };
  /** Exactly what was previewed, for `activatePrepared`. */
  readonly prepared: PreparedBundle;
  /** The plan, with the conflicts that prevent it. */
  readonly plan: Plan;
  readonly missing: readonly MissingPart[];
  /** The changes since the installed version, which the user must agree to again. Null for a first installation. */
  readonly upgrade: BundleDiff | null;
}

/** A part that the user still has to supply. */
export interface MissingPart {
  readonly code: Missing['code'];
  readonly kit: string;
  /** Why the content of the kit is unavailable: the plan is made without it, and an activation would fail. */
  readonly reason: ErrorCode | null;
  readonly message: string;
}

export type PreviewResult = ({ readonly ok: true } & ShadowPreview) | { readonly ok: false; readonly failure: Invalid };

/** Shows what an activation would do (BA-1). It changes nothing and takes no lock. */
export async function previewBundle(input: BundleInput): Promise<PreviewResult> {
  const { locale = 'en' } = input;
  const prepared = await prepareBundle(input, { withoutContent: true });
  if ('failure' in prepared) return { ok: false, failure: prepared.failure };
  const { root, bundle, projection, unavailable } = prepared;
  const manifestPath = `${bundleFolder(bundle.id)}/manifest.json`;
  const paths = [...projection.files.map(({ path }) => path), manifestPath];
  const workspaceState = await readWorkspaceState(root, paths, input.files);
  const alsoActive = await listActiveElsewhere(root, input.roots, input.files);
  const plan = planActivation({ ...prepared, workspaceState, alsoActive });
  const { planDigest } = plan;
  const preview = describeBundle(bundle, { files: plan.operations, planDigest, locale });
  const missing = plan.missing.map((part) => explainMissing(part, unavailable.get(part.kit), locale));
  const notes = missing.map(({ message }) => message);
  const reply = { preview, markdown: renderMarkdown(preview, locale, notes) };
  const upgrade = diffInstalled(bundle, workspaceState.files.get(manifestPath), locale);
  return { ok: true, reply, prepared, plan, missing, upgrade };
}

function explainMissing(missing: Missing, error: ParleyError<ErrorCode> | undefined, locale: Locale): MissingPart {
  const { code, kit } = missing;
  const message = describeMissing(missing, locale);
  if (error === undefined || code !== 'KIT_CONTENT_MISSING') return { code, kit, reason: null, message };
  const why = error.explain(locale, (value) => displayText(String(value)));
  return { code, kit, reason: error.code, message: `${message}${locale === 'en' ? ' ' : ''}${why}` };
}

function diffInstalled(bundle: Bundle, installed: LiveFile | undefined, locale: Locale): BundleDiff | null {
  const parsed = installed?.kind === 'file' ? parseJson(installed.bytes) : undefined;
  const old = parsed?.ok ? readBundle(parsed.value).bundle : undefined;
  return old === undefined ? null : diffBundles(old, bundle, { locale });
}
