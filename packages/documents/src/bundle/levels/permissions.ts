import { listMembers } from '../graph.ts';
import { type LooseBundle, type LooseKit, type LooseTeam, present } from '../loose.ts';
import type { Names } from '../names.ts';
import { findPathProblem, hasHidden } from '../path.ts';
import type { LevelReport } from '../reports.ts';
import { compareRisk, impliedRisk, kitRisk } from '../risk.ts';
import { PERMISSION_MODES, PERMISSION_TYPES } from '../schema.ts';
import type { LevelCheck } from './level.ts';

/** BV-4. */
export const permissions: LevelCheck = {
  level: 'L4',
  name: { en: 'permissions', 'zh-CN': '权限隔离' },
  check(context, report) {
    const users = findUsers(context.bundle, context.names);
    for (const [index, kit] of present(context.bundle.kits)) {
      const path = `/kits/${index}`;
      checkRisk(kit, path, report);
      if (kit.riskLevel === 'critical') checkCritical(kit, path, users, report);
      for (const [at, permission] of present(kit.permissions)) {
        checkPermission(permission, `${path}/permissions/${at}`, report);
      }
      if (kit.mirror?.autoUpdate === true) report.add('AUTO_UPDATE', `${path}/mirror/autoUpdate`, {});
    }
  },
};

function checkRisk(kit: LooseKit, path: string, report: LevelReport): void {
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

function checkCritical(kit: LooseKit, path: string, users: TeamsByKit, report: LevelReport): void {
  const { id = '' } = kit;
  if ((kit.permissions ?? []).length === 0) {
    report.add('CRITICAL_WITHOUT_PERMISSIONS', `${path}/permissions`, { id });
  }
  const teams = users.get(id) ?? users.get(undefined)!;
  const covered = teams.length > 0 && teams.every(({ humanEscalation }) => humanEscalation?.enabled === true);
  if (!covered) report.add('CRITICAL_WITHOUT_ESCALATION', `${path}/riskLevel`, { id });
}

/** The teams that use a kit; under undefined all teams, for a kit that none of them names. */
type TeamsByKit = ReadonlyMap<string | undefined, readonly LooseTeam[]>;

function findUsers(bundle: LooseBundle, names: Names): TeamsByKit {
  const all = [...present(bundle.teams)].map(([, team]) => team);
  const users = new Map<string | undefined, LooseTeam[]>([[undefined, all]]);
  for (const team of all) {
    const carried = listMembers(team, names).flatMap((id) => [...present(names.roles.get(id)?.kits)]);
    const attached = [...present(team.handoffGraph)].flatMap(([, { source, target }]) => [source, target]);
    for (const id of new Set([...carried.map(([, kit]) => kit), ...attached])) {
      if (id === undefined || !names.kits.has(id)) continue;
      const known = users.get(id);
      if (known === undefined) users.set(id, [team]);
      else known.push(team);
    }
  }
  return users;
}

function checkPermission(
  permission: NonNullable<NonNullable<LooseKit['permissions']>[number]>,
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
