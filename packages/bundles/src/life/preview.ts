import { parseJson } from '@parley/documents';
import {
  type BundleDiff,
  type BundlePreview,
  previewBundle as describeBundle,
  diffBundles,
  readBundle,
  renderMarkdown,
} from '@parley/documents/bundle';
import { bundleFolder } from '../files/layout.ts';
import { type Plan, planActivation } from '../plan/plan.ts';
import { readWorkspaceState, type WorkspaceState } from '../plan/workspace-state.ts';
import { type BundleInput, type Invalid, type Prepared, prepare } from './prepare.ts';
import { listActiveElsewhere } from './roots.ts';

export interface ShadowPreview {
  /** BA-1, the reply of `POST /api/shadow-preview`. */
  readonly reply: { readonly preview: BundlePreview; readonly markdown: string };
  /** With what stands in the way (`conflicts`) and what a person still has to supply (`missing`). */
  readonly plan: Plan;
  /** Against the installed version; what a person has to agree to again. Null for a first installation. */
  readonly upgrade: BundleDiff | null;
}

export type PreviewResult = ({ readonly ok: true } & ShadowPreview) | { readonly ok: false; readonly failure: Invalid };

/** What an activation would do (BA-1). It changes nothing, not even a lock. */
export async function previewBundle(input: BundleInput): Promise<PreviewResult> {
  const prepared = await prepare(input);
  if ('failure' in prepared) return { ok: false, failure: prepared.failure };
  const { root, bundle, locale, paths } = prepared;
  const manifestPath = `${bundleFolder(bundle.id)}/manifest.json`;
  const workspaceState = await readWorkspaceState(root, [...paths, manifestPath], input.files);
  const alsoActive = await listActiveElsewhere(root, input.roots, input.files);
  const plan = planActivation({ ...prepared, workspaceState, alsoActive });
  const { planDigest } = plan;
  const preview = describeBundle(bundle, { files: plan.operations, planDigest, locale });
  const reply = { preview, markdown: renderMarkdown(preview, locale) };
  return { ok: true, reply, plan, upgrade: diffInstalled(prepared, workspaceState, manifestPath) };
}

function diffInstalled({ bundle }: Prepared, { files }: WorkspaceState, manifestPath: string): BundleDiff | null {
  const installed = files.get(manifestPath);
  const parsed = installed?.kind === 'file' ? parseJson(installed.bytes) : undefined;
  const old = parsed?.ok ? readBundle(parsed.value).bundle : undefined;
  return old === undefined ? null : diffBundles(old, bundle);
}
