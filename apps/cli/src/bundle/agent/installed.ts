import { readWorkspaceState, statusOf } from '@parley/bundles';
import { parseJson } from '@parley/documents';
import { type Bundle, readBundle } from '@parley/documents/bundle';
import { CommandError } from '../../command-error.ts';

/** Loads an installed bundle and refuses one whose files have changed since it was installed (BA-6). */
export async function readInstalled(root: string, bundleId: string): Promise<Bundle> {
  const { bundles } = await statusOf(root);
  const drifted = bundles.some(({ id, drift }) => id === bundleId && drift.length > 0);
  const path = `.roleos/bundles/${bundleId}/manifest.json`;
  const file = (await readWorkspaceState(root, [path])).files.get(path);
  const parsed = file?.kind === 'file' ? parseJson(file.bytes) : undefined;
  const bundle = parsed?.ok ? readBundle(parsed.value).bundle : undefined;
  if (drifted || bundle === undefined) {
    throw new CommandError('BUNDLE_DRIFTED', { params: { id: bundleId } });
  }
  return bundle;
}
