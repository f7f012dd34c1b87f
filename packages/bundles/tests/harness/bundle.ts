import type { KitFile } from '../../src/kits/kit-file.ts';

/** A team with two roles and two kits, one of which brings files. */
export function researchBundle(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    rktVersion: '1.0',
    id: 'research-team',
    version: '1.0.0',
    name: 'Research team',
    summary: 'Finds things out and writes them down.',
    targetUser: 'Analysts',
    author: 'Ada',
    mode: 'team',
    roles: [
      {
        id: 'analyst',
        label: 'Analyst',
        purpose: 'Looks for facts',
        thinkingLevel: 'deep',
        isEntry: true,
        responsibilities: ['Search', 'Compare'],
        boundaries: ['Never writes files'],
        kits: ['web-search'],
      },
      { id: 'writer', label: 'Writer', purpose: 'Writes the report', thinkingLevel: 'none', kits: ['notes'] },
    ],
    kits: [
      {
        id: 'web-search',
        label: 'Web search',
        capabilities: ['Search the web'],
        riskLevel: 'medium',
        toolBinding: { type: 'mcp', config: { command: 'npx', args: ['search-server'] } },
        permissions: [{ type: 'network', target: 'https://api.search.com', mode: 'read' }],
      },
      { id: 'notes', label: 'Notes', capabilities: ['Keep notes'], riskLevel: 'low', entryPoint: 'lib/notes.js' },
    ],
    teams: [
      {
        id: 'main',
        label: 'Main',
        topology: 'pipeline',
        entryRoleId: 'analyst',
        members: [{ id: 'analyst', isEntry: true }, { id: 'writer' }],
        handoffGraph: [{ source: 'analyst', target: 'writer', type: 'sequential', label: 'facts are in' }],
        terminationRules: ['The report is written'],
      },
    ],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
    ...changes,
  };
}

export const NOTES: readonly KitFile[] = [
  { path: 'lib/notes.js', bytes: Buffer.from('export const notes = [];\n') },
  { path: 'run.sh', bytes: Buffer.from('#!/bin/sh\n'), executable: true },
];

export const notesKit = (files: readonly KitFile[] = NOTES): Map<string, readonly KitFile[]> =>
  new Map([['notes', files]]);

/** The smallest one: few file operations, so that all of them can be interrupted. */
export function tinyBundle(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    rktVersion: '1.0',
    id: 'tiny',
    version: '1.0.0',
    name: 'Tiny',
    summary: 'One role.',
    targetUser: 'Anyone',
    roles: [{ id: 'helper', label: 'Helper', purpose: 'Helps' }],
    kits: [{ id: 'clock', label: 'Clock', capabilities: ['Tell the time'], riskLevel: 'low' }],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
    ...changes,
  };
}
