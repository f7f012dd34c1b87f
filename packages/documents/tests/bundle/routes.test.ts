import { expect, it } from 'vitest';
import { resolveBundleEntry } from '../../src/bundle/entry.ts';
import { computeRoutes } from '../../src/bundle/routes.ts';
import { minimalBundle } from './minimal.ts';

const roles = ['a', 'b', 'c', 'd'].map((id) => ({ id, label: id }));

it('BN-6 tries fallbacks by priority, those without one last and in the order of the document', () => {
  const edge = (target: string, priority?: number) =>
    ({ source: 'a', target, type: 'fallback', ...(priority === undefined ? {} : { priority }) }) as const;
  const handoffGraph = [edge('d'), edge('c', 2), edge('b', -1), edge('a')];
  const team = { id: 't', label: 'T', entryRoleId: 'a', terminationRules: ['x'], handoffGraph };
  const [route] = computeRoutes(minimalBundle({ roles, teams: [team] })).teams;
  expect(route!.fallbacks).toEqual([{ source: 'a', targets: ['b', 'c', 'd', 'a'] }]);
  expect(route!.edges.map(({ target }) => target)).toEqual(['d', 'c', 'b', 'a']);
});

it('BN-6 takes an edge without a type for what it looks like', () => {
  const kits = [{ id: 'k', label: 'K', capabilities: ['c'] }];
  const handoffGraph = [
    { source: 'a', target: 'b' },
    { source: 'k', target: 'a' },
    { source: 'b', target: 'c', condition: 'output.ok' },
  ];
  const team = { id: 't', label: 'T', entryRoleId: 'a', terminationRules: ['x'], handoffGraph };
  const [route] = computeRoutes(minimalBundle({ roles, kits, teams: [team] })).teams;
  expect(route!.edges.map(({ type, condition }) => [type, condition])).toEqual([
    ['sequential', null],
    ['kit-attach', null],
    ['conditional', 'output.ok'],
  ]);
});

it('BN-12 names the members that nobody hands over to', () => {
  const members = roles.map(({ id }) => ({ id }));
  const handoffGraph = [
    { source: 'a', target: 'b', type: 'sequential' as const },
    { source: 'c', target: 'd', type: 'sequential' as const },
  ];
  const team = { id: 't', label: 'T', entryRoleId: 'a', members, terminationRules: ['x'], handoffGraph };
  expect(computeRoutes(minimalBundle({ roles, teams: [team] })).teams[0]!.unreachable).toEqual(['c', 'd']);
});

it('BN-8 a bundle in single mode starts with its own entry, not with that of a team', () => {
  const team = { id: 't', label: 'T', entryRoleId: 'b', terminationRules: ['x'] };
  const bundle = minimalBundle({ roles: [{ ...roles[0]!, isEntry: true }, roles[1]!], teams: [team] });
  expect(resolveBundleEntry(bundle).id).toBe('b');
  expect(resolveBundleEntry({ ...bundle, mode: 'single' }).id).toBe('a');
});

it('BN-12 routes are the same JSON for the same bundle, and fill in what a team leaves out', () => {
  const bundle = minimalBundle({ roles, teams: [{ terminationRules: ['x'], label: 'T', id: 't' }] });
  const shuffled = minimalBundle({ teams: [{ id: 't', label: 'T', terminationRules: ['x'] }], roles });
  expect(JSON.stringify(computeRoutes(bundle))).toBe(JSON.stringify(computeRoutes(shuffled)));
  expect(computeRoutes(bundle).teams[0]).toMatchObject({
    topology: null,
    members: ['a', 'b', 'c', 'd'],
    degradation: { toolMissing: null, permDenied: null, modelWeak: null, timeout: null },
    escalation: { enabled: false, condition: null, maxRetries: null },
  });
});
