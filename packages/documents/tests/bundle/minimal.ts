import type { Bundle } from '../../src/bundle/index.ts';

/** The smallest valid bundle, with changes. */
export function minimalBundle(changes: Partial<Bundle> = {}): Bundle {
  return {
    rktVersion: '1.0',
    id: 'minimal',
    version: '1.0.0',
    name: 'Minimal',
    summary: 'As little as possible.',
    targetUser: 'tests',
    roles: [{ id: 'only', label: 'Only', purpose: 'Is there.' }],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
    author: 'Parley',
    ...changes,
  };
}
