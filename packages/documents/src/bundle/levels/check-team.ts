import { EDGE_VARIABLES } from '../condition/check.ts';
import { resolveEntryRole } from '../entry.ts';
import { assumeType, findUnreachable, listMembers, matchesTopology } from '../graph.ts';
import type { Names } from '../names.ts';
import { type PartialEdge, type PartialTeam, present } from '../partial.ts';
import type { LevelReport } from '../reports.ts';
import type { Expressions } from './expressions.ts';

interface Tools {
  readonly names: Names;
  readonly expressions: Expressions;
  readonly report: LevelReport;
}

/** Checks the members, handoffs and entry role of one team (BN-5, BN-6, BN-8). */
export function checkTeam(team: PartialTeam, path: string, tools: Tools): void {
  const { names, report } = tools;
  checkMembers(team, path, names, report);
  for (const [index, edge] of present(team.handoffGraph)) checkEdge(edge, `${path}/handoffGraph/${index}`, tools);
  const entry = checkEntry(team, path, names, report);
  if (entry === undefined) return;
  for (const id of findUnreachable(team, entry, names)) {
    report.add('MEMBER_UNREACHABLE', `${path}/members${locate(team, id)}`, { entry, id });
  }
  if (team.topology !== undefined && !matchesTopology(team, entry, names)) {
    const params = { reason: team.topology };
    report.push({ code: 'TOPOLOGY_MISMATCH', severity: 'warning', path: `${path}/topology`, params });
  }
}

function checkMembers(team: PartialTeam, path: string, { roles }: Names, report: LevelReport): void {
  const seen = new Map<string, string>();
  for (const [index, { id }] of present(team.members)) {
    if (id === undefined) continue;
    const place = `${path}/members/${index}`;
    const first = seen.get(id);
    if (first !== undefined) report.add('ID_DUPLICATE', `${place}/id`, { id, first });
    else seen.set(id, place);
    if (!roles.has(id)) report.add('MEMBER_UNKNOWN', `${place}/id`, { id });
  }
}

/** Returns the entry role, or undefined if it is unclear. */
function checkEntry(team: PartialTeam, path: string, names: Names, report: LevelReport): string | undefined {
  const { id, by, named } = resolveEntryRole(names, team);
  if (id === undefined) return undefined;
  if (by === 'entryRoleId' && !listMembers(team, names).includes(id)) {
    report.add('ENTRY_NOT_MEMBER', `${path}/entryRoleId`, { id });
    return undefined;
  }
  if (named.length > 1) {
    report.add('ENTRY_CONTRADICTION', by === 'entryRoleId' ? `${path}/entryRoleId` : `${path}/members`, {
      ids: named.join(', '),
    });
    return undefined;
  }
  if (by === 'first') report.add('ENTRY_ASSUMED', path, { id });
  return id;
}

function checkEdge(edge: PartialEdge, path: string, { names, expressions, report }: Tools): void {
  const { roles, kits } = names;
  for (const end of ['source', 'target'] as const) {
    const id = edge[end];
    if (id !== undefined && !roles.has(id) && !kits.has(id)) report.add('EDGE_END_UNKNOWN', `${path}/${end}`, { id });
  }
  const { source, target, condition } = edge;
  const isUntyped = !('type' in edge);
  const type = isUntyped ? assumeType(edge, names) : edge.type;
  if (isUntyped) report.add('EDGE_TYPE_MISSING', path, { assumed: type! });
  if (type === 'kit-attach' && source !== undefined && target !== undefined) {
    const joins = (kits.has(source) && roles.has(target)) || (roles.has(source) && kits.has(target));
    if (!joins) report.add('KIT_ATTACH_INVALID', path, {});
  }
  if (type === 'conditional') {
    if (condition === undefined || condition.trim() === '') report.add('CONDITION_MISSING', `${path}/condition`, {});
    else expressions.check(condition, EDGE_VARIABLES, `${path}/condition`, report);
  } else if (condition !== undefined && type !== undefined) report.add('CONDITION_IGNORED', `${path}/condition`, {});
}

function locate(team: PartialTeam, id: string): string {
  const index = (team.members ?? []).findIndex((member) => member?.id === id);
  return index < 0 ? '' : `/${index}`;
}
