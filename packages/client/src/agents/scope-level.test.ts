import { previewConsent } from '@parley/documents';
import { describe, expect, it } from 'vitest';
import { AGENT, MANIFEST } from '../../tests/guard-fixtures.ts';
import { type ExecutorFloor, scopeFloor, scopeLevel } from './scope-level.ts';

const none: ExecutorFloor = () => undefined;
const ofLow = { agentId: AGENT, scope: 'note:low', recorded: undefined, manifest: MANIFEST } as const;
const withExecutor: ExecutorFloor = ({ tool, scope }) =>
  tool === 'say_low' && scope === 'note:low' ? 'medium' : undefined;

describe('CG-6 the level that is shown is the one by which the guard asks', () => {
  it('CG-6 is the highest of manifest, executor and what was recorded; unknown is high', () => {
    expect(scopeLevel(ofLow, none)).toBe('low');
    expect(scopeLevel(ofLow, withExecutor)).toBe('medium');
    expect(scopeLevel({ ...ofLow, recorded: 'high' }, withExecutor)).toBe('high');
    expect(scopeLevel({ ...ofLow, recorded: 'low' }, withExecutor)).toBe('medium');
    expect(scopeLevel({ ...ofLow, manifest: undefined }, none)).toBe('high');
    expect(scopeLevel({ ...ofLow, manifest: undefined, recorded: 'medium' }, none)).toBe('medium');
    expect(scopeLevel({ ...ofLow, scope: 'note:gone' }, none)).toBe('high');
  });

  it('CG-6 a preset scope that the manifest calls low is at the level of the preset', () => {
    const [tool, scope] = [MANIFEST.tools[0]!, MANIFEST.permission_scopes[0]!];
    const manifest = {
      ...MANIFEST,
      tools: [{ ...tool, permission_scope: 'location:read' }],
      permission_scopes: [{ ...scope, id: 'location:read' }],
    };
    expect(scopeLevel({ ...ofLow, scope: 'location:read', manifest }, none)).toBe('high');
  });

  it('CG-6 the consent screen groups by it, and says where the manifest calls it lower', () => {
    const floor = ({ id }: { id: string }) => scopeFloor(MANIFEST, { agentId: AGENT, scope: id }, withExecutor);
    const { groups } = previewConsent(MANIFEST, 'en', floor);
    const ids = groups.map(({ sensitivity, scopes }) => [sensitivity, scopes.map(({ id }) => id)]);
    expect(ids).toEqual([
      ['high', ['note:high']],
      ['medium', ['note:low', 'note:medium']],
    ]);
    const warnings = groups.flatMap(({ scopes }) => scopes).find(({ id }) => id === 'note:low')!.warnings;
    expect(warnings).toHaveLength(1);
  });
});
