import { join } from '../../json/pointer.ts';
import { compareRisk, kitRisk } from '../risk.ts';
import type { Kit, Mirror, Permission } from '../types.ts';
import { type Changes, pairById } from './changes.ts';
import { changedFields } from './fields.ts';

/** The fields that decide what a kit runs. */
const CODE_FIELDS = ['runtime', 'entryPoint', 'toolBinding'] as const;

export function diffKits(before: readonly Kit[], after: readonly Kit[], changes: Changes): void {
  for (const pair of pairById(before, after, '/kits')) {
    const { id, path } = pair;
    if (pair.after === undefined) changes.add('kit.removed', path, { id });
    else if (pair.before === undefined) addKit(pair.after, path, changes);
    else diffKit(pair.before, pair.after, path, changes);
  }
}

function addKit(kit: Kit, path: string, changes: Changes): void {
  const { id, permissions = [] } = kit;
  const risk = kitRisk(kit);
  const runs = kit.mirror !== undefined || CODE_FIELDS.some((field) => kit[field] !== undefined);
  changes.add(risk === 'critical' ? 'kit.critical_added' : runs ? 'kit.code_added' : 'kit.added', path, { id, risk });
  diffPermissions(id, [], permissions, { before: path, after: path }, changes);
}

function diffKit(before: Kit, after: Kit, path: string, changes: Changes): void {
  const { id } = after;
  const [low, high] = [kitRisk(before), kitRisk(after)];
  changes.addStep(compareRisk(high, low), ['kit.risk_raised', 'kit.risk_lowered'], `${path}/riskLevel`, {
    id,
    before: low,
    after: high,
  });
  diffPermissions(id, before.permissions ?? [], after.permissions ?? [], { before: path, after: path }, changes);
  diffMirror(id, before.mirror, after.mirror, `${path}/mirror`, changes);
  const fields = changedFields(before, after, ['id', 'riskLevel', 'permissions', 'mirror']);
  const code = fields.filter((field) => (CODE_FIELDS as readonly string[]).includes(field));
  const other = fields.filter((field) => !code.includes(field));
  if (code.length > 0) changes.add('kit.code_changed', path, { id, fields: code.join(', ') });
  if (other.length > 0) changes.add('kit.changed', path, { id, fields: other.join(', ') });
}

function diffPermissions(
  id: string,
  before: readonly Permission[],
  after: readonly Permission[],
  paths: { readonly before: string; readonly after: string },
  changes: Changes,
): void {
  const [old, current] = [new Set(before.map(write)), new Set(after.map(write))];
  for (const [index, permission] of after.entries()) {
    if (old.has(write(permission))) continue;
    changes.add('permission.added', join(`${paths.after}/permissions`, index), { id, permission: show(permission) });
  }
  for (const [index, permission] of before.entries()) {
    if (current.has(write(permission))) continue;
    changes.add('permission.removed', join(`${paths.before}/permissions`, index), { id, permission: show(permission) });
  }
}

function write({ type, target, mode }: Permission): string {
  return JSON.stringify([type, mode, target]);
}

function show({ type, target, mode }: Permission): string {
  return `${type} ${mode} ${target}`;
}

function diffMirror(
  id: string,
  before: Mirror | undefined,
  after: Mirror | undefined,
  path: string,
  changes: Changes,
): void {
  if (after === undefined) {
    if (before !== undefined) changes.add('mirror.removed', path, { id });
    return;
  }
  if (before === undefined) {
    changes.add('mirror.added', path, { id, after: after.source ?? after.clawHubRef ?? after.digest });
  } else {
    if (before.digest !== after.digest) {
      changes.add('mirror.digest_changed', `${path}/digest`, { id, before: before.digest, after: after.digest });
    }
    const [old, current] = [origin(before), origin(after)];
    if (old !== current) changes.add('mirror.source_changed', `${path}/source`, { id, before: old, after: current });
  }
  if (after.autoUpdate === true && before?.autoUpdate !== true)
    changes.add('mirror.auto_update', `${path}/autoUpdate`, { id });
}

/** Returns a reference without its version, which changes with every update, as the digest does. */
function origin({ source = '', clawHubRef = '' }: Mirror): string {
  return [source, clawHubRef.split('@')[0]].filter((part) => part !== '').join(' ');
}
