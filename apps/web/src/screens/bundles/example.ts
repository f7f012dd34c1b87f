/** A small valid bundle to start from. */
export const EXAMPLE = {
  rktVersion: '1.0',
  id: 'my-first-bundle',
  version: '1.0.0',
  name: 'Two who write together',
  summary: 'One gathers facts, the other writes them up.',
  targetUser: 'People who write reports',
  mode: 'team',
  author: 'me',
  roles: [
    { id: 'researcher', label: 'Researcher', purpose: 'Gathers facts', isEntry: true, kits: ['notes'] },
    { id: 'writer', label: 'Writer', purpose: 'Writes them up', boundaries: ['Invents nothing'] },
  ],
  kits: [
    {
      id: 'notes',
      label: 'Notes',
      capabilities: ['read notes'],
      riskLevel: 'medium',
      permissions: [{ type: 'filesystem', target: 'notes/', mode: 'read' }],
    },
  ],
  teams: [
    {
      id: 'desk',
      label: 'Desk',
      topology: 'pipeline',
      entryRoleId: 'researcher',
      members: [{ id: 'researcher' }, { id: 'writer' }],
      handoffGraph: [
        { source: 'researcher', target: 'writer', type: 'sequential', label: 'facts' },
        { source: 'notes', target: 'researcher', type: 'kit-attach' },
      ],
      terminationRules: ['The report is written'],
    },
  ],
  rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
};
