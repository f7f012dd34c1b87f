import { LOCALES } from '@parley/base';
import { PRESET_SCOPES, validateManifest } from '@parley/documents';
import { expect, test } from 'vitest';
import { DEFAULT_ANSWERS, problemWith, writeStarter } from './starter.ts';

test('HS-7 every starter that init can write is valid, without a warning', () => {
  for (const [scope, { sensitivity }] of PRESET_SCOPES) {
    expect(validateManifest(writeStarter({ ...DEFAULT_ANSWERS, scope, sensitivity })).findings).toEqual([]);
  }
  const own = { scope: 'network:http', scopeText: 'Open web addresses', sensitivity: 'high', parameters: [] } as const;
  expect(validateManifest(writeStarter({ ...DEFAULT_ANSWERS, ...own })).findings).toEqual([]);
});

test('HS-7 a question of init refuses what the manifest would, in the words of the checker', () => {
  for (const locale of LOCALES) {
    expect(problemWith('/tools/0/name', { tool: 'X9' }, locale)).toContain('X9');
    expect(problemWith('/permission_scopes/0/id', { scope: 'system:x' }, locale)).toContain('system:');
    expect(problemWith('/agent_version', { agentVersion: '1' }, locale)).toBeDefined();
    expect(problemWith('/agent_version', { agentVersion: '1.0.0-rc.1' }, locale)).toBeUndefined();
  }
});
