import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { activateBundle, previewBundle, readBundleFolder, statusOf, uninstall } from '../src/index.ts';
import { makeFolder, PERSONS, takePicture } from './harness/workspace.ts';

const EXAMPLES = fileURLToPath(new URL('../../../examples/bundles', import.meta.url));
const mirrors = { official: { folder: join(EXAMPLES, 'mirror') } };

describe.each(['note-taker', 'research-pipeline', 'review-board'])('BA-5 the example %s', (name) => {
  it.each(['openclaw', 'plain'] as const)('BA-5 comes to a %s workspace and goes without a trace', async (target) => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const folder = await readBundleFolder(join(EXAMPLES, name));
    if (!folder.ok) throw new Error('not JSON');
    const { manifest, kitFiles } = folder;
    const input = { manifest, kitFiles, roots: { workspace: root }, target, mirrors, locale: 'zh-CN' } as const;
    const preview = await previewBundle(input);
    expect(preview).toMatchObject({ ok: true, plan: { conflicts: [] } });
    const planDigest = preview.ok ? preview.plan.planDigest : '';
    expect(await activateBundle({ ...input, planDigest })).toMatchObject({ ok: true, reply: { bundleId: name } });
    expect((await statusOf(root)).bundles).toMatchObject([{ id: name, planDigest, drift: [] }]);
    expect(await uninstall({ workspace: root, bundleId: name, evenIfManual: true })).toMatchObject({
      done: true,
      kept: [],
    });
    const after = takePicture(root);
    for (const path of Object.keys(before))
      expect(after[path]?.split(' ').slice(0, 3)).toEqual(before[path]?.split(' ').slice(0, 3));
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });
});
