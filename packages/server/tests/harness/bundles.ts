/** A valid bundle with one role and one kit that brings its files. */
export function makeBundle(id: string, changes: object = {}) {
  return {
    rktVersion: '1.0',
    id,
    version: '1.0.0',
    name: 'Some bundle',
    summary: 'One role that searches',
    targetUser: 'Anyone',
    author: 'Someone',
    roles: [{ id: 'analyst', label: 'Analyst', purpose: 'Finds things', kits: ['search'] }],
    kits: [{ id: 'search', label: 'Search', capabilities: ['search'], riskLevel: 'low' }],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
    ...changes,
  };
}

export const KIT_FILES = [{ path: 'SKILL.md', data: Buffer.from('# Search\n').toString('base64') }];
