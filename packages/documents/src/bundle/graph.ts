import type { Names } from './names.ts';
import type { PartialEdge, PartialTeam } from './partial.ts';
import { present } from './partial.ts';
import type { EdgeType } from './types.ts';

/** The type of an edge that names none (BN-6). An edge with a condition never hands over without evaluating it. */
export function assumeType(edge: PartialEdge, { kits }: Pick<Names, 'kits'>): EdgeType {
  if (edge.condition !== undefined) return 'conditional';
  return isKit(edge.source, kits) || isKit(edge.target, kits) ? 'kit-attach' : 'sequential';
}

function isKit(id: string | undefined, kits: Names['kits']): boolean {
  return id !== undefined && kits.has(id);
}

/** The roles of a team: its members, otherwise every role in its handoffs, otherwise all. */
export function listMembers(team: PartialTeam, { roles }: Names): string[] {
  const members = [...present(team.members)].map(([, { id }]) => id);
  const named = [...present(team.handoffGraph)].flatMap(([, { source, target }]) => [source, target]);
  const known = (ids: readonly (string | undefined)[]) => [
    ...new Set(ids.filter((id): id is string => id !== undefined && roles.has(id))),
  ];
  const listed = known(members);
  if (listed.length > 0) return listed;
  const linked = known(named);
  return linked.length > 0 ? linked : [...roles.keys()];
}

/** Finds members that no handoff leads to. Without any handoff, a parallel or mesh team starts as a whole. */
export function findUnreachable(team: PartialTeam, entry: string | undefined, names: Names): string[] {
  const edges = [...present(team.handoffGraph)].map(([, edge]) => edge);
  if (edges.length === 0 && (team.topology === 'parallel' || team.topology === 'mesh')) return [];
  const targets = new Map<string, string[]>();
  for (const { source, target } of edges) {
    if (source === undefined || target === undefined) continue;
    const known = targets.get(source);
    if (known === undefined) targets.set(source, [target]);
    else known.push(target);
  }
  const seen = new Set(entry === undefined ? [] : [entry]);
  for (const id of seen) for (const target of targets.get(id) ?? []) seen.add(target);
  return listMembers(team, names).filter((id) => !seen.has(id));
}

/** Do the handoffs between roles have the form that `topology` names (BV-2)? Fallbacks and kits do not count. */
export function matchesTopology(team: PartialTeam, entry: string | undefined, names: Names): boolean {
  const members = listMembers(team, names);
  const edges = [...present(team.handoffGraph)]
    .map(([, { source, target, type }]) => ({ source, target, type }))
    .filter(({ source, target }) => source !== target && names.roles.has(source ?? '') && names.roles.has(target ?? ''))
    .filter(({ type }) => type !== 'fallback' && type !== 'kit-attach');
  const leaving = countBy(edges, 'source');
  const arriving = countBy(edges, 'target');
  const isTree =
    edges.length === members.length - 1 && members.every((id) => (arriving.get(id) ?? 0) === (id === entry ? 0 : 1));
  switch (team.topology) {
    case 'single':
      return members.length <= 1;
    case 'pipeline':
      return isTree && members.every((id) => (leaving.get(id) ?? 0) <= 1);
    case 'hierarchical':
      return isTree;
    case 'parallel':
      return edges.length === 0 || [...leaving.values()].some((count) => count > 1);
    case 'mesh':
      return edges.length === 0 || members.every((id) => leaving.has(id) || arriving.has(id));
    default:
      return true;
  }
}

function countBy<End extends 'source' | 'target'>(
  edges: readonly Readonly<Record<End, string | undefined>>[],
  end: End,
): Map<string | undefined, number> {
  const counts = new Map<string | undefined, number>();
  for (const edge of edges) counts.set(edge[end], (counts.get(edge[end]) ?? 0) + 1);
  return counts;
}
