import { LOCALES } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { CHANGE_RULES } from '../../src/bundle/diff/rules.ts';
import { type Bundle, diffBundles, type Kit, type Team } from '../../src/bundle/index.ts';
import { minimalBundle } from './minimal.ts';

const MIRROR = { source: 'roleos-mirror://official', digest: `sha256:${'a'.repeat(64)}`, clawHubRef: 'kit@1.0.0' };
const KIT: Kit = { id: 'kit', label: 'Kit', capabilities: ['c'], riskLevel: 'low' };
const READ = { type: 'filesystem', target: 'notes/', mode: 'read' };
const TEAM: Team = {
  id: 'team',
  label: 'Team',
  entryRoleId: 'only',
  members: [{ id: 'only' }],
  terminationRules: ['done'],
  humanEscalation: { enabled: true, maxRetries: 1 },
};
const BEFORE = minimalBundle({ kits: [KIT], teams: [TEAM] });

const kit = (changes: Partial<Kit>): Partial<Bundle> => ({ kits: [{ ...KIT, ...changes }] });
const team = (changes: Partial<Team>): Partial<Bundle> => ({ teams: [{ ...TEAM, ...changes }] });
const diff = (before: Partial<Bundle>, after: Partial<Bundle>) =>
  diffBundles({ ...BEFORE, ...before }, { ...BEFORE, ...after });
const codes = (before: Partial<Bundle>, after: Partial<Bundle>) => diff(before, after).changes.map(({ code }) => code);

type Row = [name: string, before: Partial<Bundle>, after: Partial<Bundle>, codes: string[]];

describe('BN-13 a person agrees again to', () => {
  const rows: Row[] = [
    ['another bundle', {}, { id: 'other' }, ['bundle.replaced']],
    ['a new permission', kit({}), kit({ permissions: [READ] }), ['permission.added']],
    [
      'another target',
      kit({ permissions: [READ] }),
      kit({ permissions: [{ ...READ, target: 'src/' }] }),
      ['permission.added', 'permission.removed'],
    ],
    ['a raised risk', kit({}), kit({ riskLevel: 'high' }), ['bundle.risk_raised', 'kit.risk_raised']],
    [
      'a risk that is no longer said',
      kit({}),
      { kits: [{ id: 'kit', label: 'Kit', capabilities: ['c'] }] },
      ['bundle.risk_raised', 'kit.risk_raised'],
    ],
    [
      'a new critical kit',
      {},
      { kits: [KIT, { ...KIT, id: 'bomb', riskLevel: 'critical' }] },
      ['bundle.risk_raised', 'kit.critical_added'],
    ],
    ['a new kit that runs something', {}, { kits: [KIT, { ...KIT, id: 'run', mirror: MIRROR }] }, ['kit.code_added']],
    [
      'other content',
      kit({ mirror: MIRROR }),
      kit({ mirror: { ...MIRROR, digest: `sha256:${'b'.repeat(64)}`, clawHubRef: 'kit@1.1.0' } }),
      ['mirror.digest_changed'],
    ],
    [
      'another source',
      kit({ mirror: MIRROR }),
      kit({ mirror: { ...MIRROR, source: 'roleos-mirror://evil' } }),
      ['mirror.source_changed'],
    ],
    [
      'another project on the same mirror',
      kit({ mirror: MIRROR }),
      kit({ mirror: { ...MIRROR, clawHubRef: 'evil@1.0.0' } }),
      ['mirror.source_changed'],
    ],
    ['a mirror where there was none', kit({}), kit({ mirror: MIRROR }), ['mirror.added']],
    [
      'updates by itself',
      kit({ mirror: MIRROR }),
      kit({ mirror: { ...MIRROR, autoUpdate: true } }),
      ['mirror.auto_update'],
    ],
    [
      'another command',
      kit({ toolBinding: { type: 'cli', config: { command: 'a' } } }),
      kit({ toolBinding: { type: 'cli', config: { command: 'b' } } }),
      ['kit.code_changed'],
    ],
    ['another entry point', kit({ entryPoint: 'a.js' }), kit({ entryPoint: 'b.js' }), ['kit.code_changed']],
    ['a weaker rollback', {}, { rollbackProfile: { snapshotEnabled: true, strategy: 'manual' } }, ['rollback.weaker']],
    [
      'no snapshot, with a better strategy',
      { rollbackProfile: { snapshotEnabled: true, strategy: 'manual' } },
      { rollbackProfile: { snapshotEnabled: false, strategy: 'restore-snapshot' } },
      ['rollback.weaker'],
    ],
    ['a wider scope', { activationScope: 'agent' }, {}, ['scope.wider']],
    [
      'fewer boundaries',
      { roles: [{ id: 'only', label: 'Only', boundaries: ['never writes'] }] },
      { roles: [{ id: 'only', label: 'Only' }] },
      ['role.boundary_removed'],
    ],
    [
      'a risky kit for a role',
      kit({ riskLevel: 'high' }),
      { ...kit({ riskLevel: 'high' }), roles: [{ ...BEFORE.roles[0]!, kits: ['kit'] }] },
      ['role.risky_kit_added'],
    ],
    ['fewer questions to a person', {}, team({ humanEscalation: { enabled: false } }), ['escalation.weaker']],
    [
      'later questions to a person',
      {},
      team({ humanEscalation: { enabled: true, maxRetries: 9 } }),
      ['escalation.weaker'],
    ],
  ];

  it.each(rows)('%s', (_, before, after, expected) => {
    expect(codes(before, after)).toEqual(expected);
    expect(diff(before, after).consent).toBe('reauth');
  });
});

describe('BN-13 a person is only told of', () => {
  const role = BEFORE.roles[0]!;
  const two: Partial<Bundle> = { roles: [role, { id: 'more', label: 'More' }] };
  const edge = { source: 'only', target: 'more', type: 'sequential' as const };
  const rows: Row[] = [
    ['a new role', {}, two, ['role.added']],
    ['a role that is gone', two, {}, ['role.removed']],
    [
      'other words of a role',
      {},
      { roles: [{ ...role, purpose: 'Is here.', thinkingLevel: 'deep' }] },
      ['role.changed'],
    ],
    ['a harmless kit for a role', {}, { roles: [{ ...role, kits: ['kit'] }] }, ['role.kit_added']],
    ['a new kit that runs nothing', {}, { kits: [KIT, { ...KIT, id: 'words' }] }, ['kit.added']],
    ['a kit that is gone', {}, { kits: [] }, ['kit.removed']],
    ['a lower risk', kit({ riskLevel: 'high' }), kit({}), ['bundle.risk_lowered', 'kit.risk_lowered']],
    ['a new handoff', two, { ...two, ...team({ handoffGraph: [edge] }) }, ['route.edge_added']],
    [
      'another condition',
      { ...two, ...team({ handoffGraph: [edge] }) },
      { ...two, ...team({ handoffGraph: [{ ...edge, type: 'conditional', condition: 'output.ok' }] }) },
      ['route.edge_added', 'route.edge_removed'],
    ],
    ['another way to fail', {}, team({ degradationStrategy: { timeout: 'abort' } }), ['route.changed']],
    [
      'another start',
      { ...two, teams: [] },
      { teams: [], roles: [role, { id: 'more', label: 'More', isEntry: true }] },
      ['role.changed', 'route.entry_changed'],
    ],
    ['a new team', { teams: [] }, {}, ['team.added']],
    ['a check that is gone', { assertions: [{ id: 'a', expr: 'true' }] }, {}, ['assertion.removed']],
    ['another author', {}, { author: 'Somebody' }, ['bundle.author_changed']],
  ];

  it.each(rows)('%s', (_, before, after, expected) => {
    expect(codes(before, after)).toEqual(expected);
    expect(diff(before, after).consent).toBe('notice');
  });
});

describe('BN-13 nobody is bothered with', () => {
  const rows: Row[] = [
    ['nothing', {}, {}, []],
    ['a new version', {}, { version: '1.0.1' }, ['bundle.version_changed']],
    [
      'other texts',
      {},
      { name: 'Other', summary: 'Different.', description: 'More.', tags: ['x'] },
      ['bundle.text_changed', 'bundle.text_changed', 'bundle.text_changed', 'bundle.text_changed'],
    ],
    ['a permission less', kit({ permissions: [READ] }), kit({}), ['permission.removed']],
    [
      'permissions in another order',
      kit({ permissions: [READ, { ...READ, mode: 'list' }] }),
      kit({ permissions: [{ ...READ, mode: 'list' }, READ] }),
      [],
    ],
    [
      'a better rollback',
      { rollbackProfile: { snapshotEnabled: false, strategy: 'manual' } },
      {},
      ['rollback.stronger'],
    ],
    ['a default that is spelt out', {}, { activationScope: 'workspace', ...team({ handoffGraph: [] }) }, []],
    ['more questions to a person', team({ humanEscalation: { enabled: false } }), {}, ['escalation.stronger']],
  ];

  it.each(rows)('%s', (_, before, after, expected) => {
    expect(codes(before, after)).toEqual(expected);
    expect(diff(before, after).consent).toBe('none');
  });
});

describe('BN-13 a change', () => {
  it('asks again where a team that asks a person is gone', () => {
    expect(codes({}, { teams: [] })).toEqual(['team.removed', 'escalation.weaker']);
  });

  it('is told in both languages, with the place it is at', () => {
    const after = { ...BEFORE, ...kit({ permissions: [READ] }) };
    const [english, chinese] = LOCALES.map((locale) => diffBundles(BEFORE, after, { locale }).changes[0]!);
    expect(english).toEqual({
      code: 'permission.added',
      path: '/kits/0/permissions/0',
      consent: 'reauth',
      params: { id: 'kit', permission: 'filesystem read notes/' },
      message: 'The kit "kit" wants a new permission: filesystem read notes/.',
    });
    expect(chinese!.message).toBe('能力包“kit”要求新的权限：filesystem read notes/。');
  });

  it('shows nothing hidden', () => {
    const after = kit({ permissions: [{ type: 'network', target: 'https://a\u202e', mode: 'read' }] });
    expect(diff({}, after).changes[0]!.message).toContain('https://a[U+202E]');
  });

  it('has the same parameters in every language', () => {
    const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    for (const rule of Object.values(CHANGE_RULES)) expect(places(rule['zh-CN'])).toEqual(places(rule.en));
  });
});
