import { kitRisk } from '../risk.ts';
import type { Bundle, Kit, Role } from '../types.ts';
import { type Changes, pairById } from './changes.ts';
import { changedFields } from './fields.ts';

export function diffRoles(before: Bundle, after: Bundle, changes: Changes): void {
  const kits = new Map((after.kits ?? []).map((kit) => [kit.id, kit]));
  for (const pair of pairById(before.roles, after.roles, '/roles')) {
    const { id, path } = pair;
    if (pair.after === undefined) changes.add('role.removed', path, { id });
    else if (pair.before === undefined) {
      changes.add('role.added', path, { id });
      addKits(pair.after, [], path, kits, changes);
    } else diffRole(pair.before, pair.after, path, kits, changes);
  }
}

function diffRole(before: Role, after: Role, path: string, kits: ReadonlyMap<string, Kit>, changes: Changes): void {
  const { id } = after;
  const kept = new Set(after.boundaries ?? []);
  for (const text of before.boundaries ?? []) {
    if (!kept.has(text)) changes.add('role.boundary_removed', `${path}/boundaries`, { id, text });
  }
  addKits(after, before.kits ?? [], path, kits, changes);
  const gone = (before.kits ?? []).filter((kit) => !(after.kits ?? []).includes(kit));
  const gained = (after.boundaries ?? []).filter((text) => !(before.boundaries ?? []).includes(text));
  const fields = changedFields(before, after, ['kits', 'boundaries']);
  if (gained.length > 0) fields.unshift('boundaries');
  if (gone.length > 0) fields.unshift('kits');
  if (fields.length > 0) changes.add('role.changed', path, { id, fields: fields.join(', ') });
}

function addKits(
  role: Role,
  before: readonly string[],
  path: string,
  kits: ReadonlyMap<string, Kit>,
  changes: Changes,
): void {
  const known = new Set(before);
  for (const [index, kit] of (role.kits ?? []).entries()) {
    if (known.has(kit)) continue;
    const risk = kitRisk(kits.get(kit) ?? {});
    const code = risk === 'high' || risk === 'critical' ? 'role.risky_kit_added' : 'role.kit_added';
    changes.add(code, `${path}/kits/${index}`, { id: role.id, kit, risk });
  }
}
