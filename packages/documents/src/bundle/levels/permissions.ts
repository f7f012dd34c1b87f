import { listMembers } from '../graph.ts';
import type { Names } from '../names.ts';
import { type PartialBundle, type PartialKit, present } from '../partial.ts';
import { findPathProblem, hasHidden } from '../path.ts';
import type { LevelReport } from '../reports.ts';
import { compareRisk, impliedRisk, kitRisk } from '../risk.ts';
import { PERMISSION_MODES, PERMISSION_TYPES } from '../schema.ts';
import type { LevelCheck } from './level.ts';

/** Checks permissions, and whether the stated risk of a kit matches them (BV-4). */
export const permissions: LevelCheck = {
  level: 'L4',
  name: { en: 'permissions', 'zh-CN': '权限隔离' },
  check(context, report) {
    const uses = findUses(context.bundle, context.names);
    for (const [index, kit] of present(context.bundle.kits)) {
      const path = `/kits/${index}`;
      checkRisk(kit, path, report);
      if (kit.riskLevel === 'critical') checkCritical(kit, path, uses, report);
      for (const [at, permission] of present(kit.permissions)) {
        checkPermission(permission, `${path}/permissions/${at}`, report);
      }
      if (kit.mirror?.autoUpdate === true) report.add('AUTO_UPDATE', `${path}/mirror/autoUpdate`, {});
    }
  },
};

function checkRisk(kit: PartialKit, path: string, report: LevelReport): void {
  const { id = '', riskLevel } = kit;
  const declared = kitRisk(kit);
  const implied = impliedRisk(kit);
  if (riskLevel === 'high' || riskLevel === 'critical') {
    report.add('KIT_RISKY', `${path}/riskLevel`, { id, risk: riskLevel });
  }
  if (compareRisk(declared, implied) < 0) {
    report.add('RISK_UNDERSTATED', `${path}/riskLevel`, { id, declared, implied });
  }
}

function checkCritical(kit: PartialKit, path: string, uses: Uses, report: LevelReport): void {
  const { id = '' } = kit;
  if ((kit.permissions ?? []).length === 0) {
    report.add('CRITICAL_WITHOUT_PERMISSIONS', `${path}/permissions`, { id });
  }
  if ((uses.get(id) ?? uses.get(ANYWHERE)) !== 'asked')
    report.add('CRITICAL_WITHOUT_ESCALATION', `${path}/riskLevel`, { id });
}

/** Whether every team that uses a role or kit asks a person. Those that no team uses are not in it. */
type Uses = ReadonlyMap<string, 'asked' | 'unasked'>;
/** The key for all teams together, for a kit that no team names. No id is empty. */
const ANYWHERE = '';

function findUses(bundle: PartialBundle, names: Names): Uses {
  const uses = new Map<string, 'asked' | 'unasked'>();
  const mark = (id: string, use: 'asked' | 'unasked') => {
    if (uses.get(id) !== 'unasked') uses.set(id, use);
  };
  for (const [, team] of present(bundle.teams)) {
    const use = team.humanEscalation?.enabled === true ? 'asked' : 'unasked';
    mark(ANYWHERE, use);
    for (const id of listMembers(team, names)) mark(id, use);
    for (const [, { source = ANYWHERE, target = ANYWHERE }] of present(team.handoffGraph)) {
      mark(source, use);
      mark(target, use);
    }
  }
  for (const [id, { kits }] of names.roles) {
    const use = uses.get(id);
    if (use !== undefined) for (const [, kit] of present(kits)) mark(kit, use);
  }
  return uses;
}

function checkPermission(
  permission: NonNullable<NonNullable<PartialKit['permissions']>[number]>,
  path: string,
  report: LevelReport,
): void {
  const { type, target, mode } = permission;
  if (type !== undefined && !(PERMISSION_TYPES as readonly string[]).includes(type)) {
    report.add('PERMISSION_TYPE_UNKNOWN', `${path}/type`, { value: type, allowed: PERMISSION_TYPES.join(', ') });
  }
  if (mode !== undefined && !(PERMISSION_MODES as readonly string[]).includes(mode)) {
    report.add('PERMISSION_MODE_UNKNOWN', `${path}/mode`, { value: mode, allowed: PERMISSION_MODES.join(', ') });
  }
  if (target === undefined || target === '') return;
  const reason = type === 'filesystem' ? findPathProblem(target) : hasHidden(target) ? 'control_character' : undefined;
  if (reason !== undefined) {
    report.push({ code: 'PATH_UNSAFE', severity: 'error', path: `${path}/target`, params: { reason } });
  }
  if (target.includes('*')) report.add('TARGET_WILDCARD', `${path}/target`, { target });
}
