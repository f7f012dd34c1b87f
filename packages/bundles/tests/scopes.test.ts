import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  activateBundle,
  describeConflict,
  startWorkspaceSession,
  statusOf,
  stopWorkspaceSession,
  uninstall,
} from '../src/index.ts';
import { tinyBundle } from './harness/bundle.ts';
import { makeFolder, PERSONS, takePicture } from './harness/workspace.ts';

const other = { id: 'other', roles: [{ id: 'cook', label: 'Cook' }], kits: [] };

describe('BN-1 activation scopes', () => {
  it('BN-1 a session’s bundle is gone after the stop, every byte restored', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const roots = { workspace: root };
    await startWorkspaceSession({ workspace: root });
    await activateBundle({ manifest: tinyBundle({ activationScope: 'session' }), roots });
    expect((await statusOf(root)).bundles).toMatchObject([{ id: 'tiny', scope: 'session' }]);
    expect(await stopWorkspaceSession({ workspace: root })).toMatchObject([{ done: true, bundleId: 'tiny' }]);
    expect(takePicture(root)).toEqual(before);
  });

  it('BN-1 a stop leaves bundles of other scopes alone', async () => {
    const root = makeFolder(PERSONS);
    await startWorkspaceSession({ workspace: root });
    await activateBundle({ manifest: tinyBundle({ activationScope: 'session' }), roots: { workspace: root } });
    await activateBundle({ manifest: tinyBundle(other), roots: { workspace: root } });
    await stopWorkspaceSession({ workspace: root });
    expect(await statusOf(root)).toMatchObject({ session: null, bundles: [{ id: 'other', drift: [] }] });
  });

  it('BN-1 what a crashed session left is removed at the next start, what waited for one is not', async () => {
    const root = makeFolder();
    const roots = { workspace: root };
    await activateBundle({ manifest: tinyBundle({ activationScope: 'session' }), roots });
    expect(await startWorkspaceSession({ workspace: root })).toMatchObject({
      removed: [],
      status: { bundles: [{ id: 'tiny' }] },
    });
    await activateBundle({ manifest: tinyBundle({ ...other, activationScope: 'session' }), roots });
    const { removed, status } = await startWorkspaceSession({ workspace: root });
    expect(removed.map(({ bundleId }) => bundleId)).toEqual(['tiny', 'other']);
    expect(status.bundles).toEqual([]);
  });

  it('BA-6 a start reports drift', async () => {
    const root = makeFolder();
    await activateBundle({ manifest: tinyBundle(), roots: { workspace: root } });
    const { rmSync } = await import('node:fs');
    rmSync(join(root, 'skills/clock/SKILL.md'));
    const { status } = await startWorkspaceSession({ workspace: root });
    expect(status.bundles[0]?.drift).toEqual([{ bundleId: 'tiny', path: 'skills/clock/SKILL.md', problem: 'missing' }]);
  });

  it('BN-1 a global bundle goes to the global root, and needs one', async () => {
    const [workspace, global] = [makeFolder(), makeFolder()];
    const manifest = tinyBundle({ activationScope: 'global' });
    await expect(activateBundle({ manifest, roots: { workspace } })).rejects.toMatchObject({
      code: 'ACTIVATION_SCOPE_UNAVAILABLE',
    });
    expect(await activateBundle({ manifest, roots: { workspace, global } })).toMatchObject({
      reply: { workspace: global },
    });
    expect(takePicture(workspace)).toEqual({});
  });

  it('BN-1 an agent’s bundle goes to the agent’s root', async () => {
    const [workspace, agent] = [makeFolder(), makeFolder()];
    await activateBundle({ manifest: tinyBundle({ activationScope: 'agent' }), roots: { workspace, agent } });
    expect(existsSync(join(agent, 'AGENTS.md'))).toBe(true);
    expect(takePicture(workspace)).toEqual({});
  });
});

describe('BA-3 bundles that collide', () => {
  it.each([
    ['a role', { roles: [{ id: 'helper', label: 'Another helper' }], kits: [] }, 'helper'],
    ['a kit', { roles: [{ id: 'cook', label: 'Cook' }] }, 'clock'],
  ])('BA-3 %s of the same name is refused with the reason', async (_, changes, path) => {
    const root = makeFolder();
    const roots = { workspace: root };
    await activateBundle({ manifest: tinyBundle(), roots });
    const before = takePicture(root);
    const result = await activateBundle({ manifest: tinyBundle({ id: 'other', ...changes }), roots });
    const conflict = { code: 'BUNDLE_COLLISION', path, other: 'tiny' } as const;
    expect(result).toMatchObject({ ok: false, failure: { conflicts: expect.arrayContaining([conflict]) } });
    expect(takePicture(root)).toEqual(before);
    expect(describeConflict(conflict, 'en')).toContain('also used by the active bundle tiny');
    expect(describeConflict(conflict, 'zh-CN')).toContain('tiny');
    await uninstall({ workspace: root, bundleId: 'tiny' });
    expect(await activateBundle({ manifest: tinyBundle({ id: 'other', ...changes }), roots })).toMatchObject({
      ok: true,
    });
  });

  it('BA-3 also across roots that are used together', async () => {
    const roots = { workspace: makeFolder(), global: makeFolder() };
    await activateBundle({ manifest: tinyBundle({ activationScope: 'global' }), roots });
    expect(await activateBundle({ manifest: tinyBundle(), roots })).toMatchObject({
      failure: {
        code: 'WORKSPACE_CONFLICT',
        conflicts: expect.arrayContaining([expect.objectContaining({ other: 'tiny' })]),
      },
    });
  });

  it('BA-5 a bundle that is not there cannot be uninstalled', async () => {
    await expect(uninstall({ workspace: makeFolder(), bundleId: 'none' })).rejects.toMatchObject({
      code: 'BUNDLE_NOT_INSTALLED',
    });
  });
});
