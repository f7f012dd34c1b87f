import { computeRoutes, type RouteEdge, type TeamRoute } from '../routes.ts';
import type { Bundle } from '../types.ts';
import { type Changes, pairById } from './changes.ts';
import { changedFields } from './fields.ts';

/** Compares the effective routes, not their spelling: writing a default out changes nothing. */
export function diffRoutes(before: Bundle, after: Bundle, changes: Changes): void {
  const [old, current] = [computeRoutes(before), computeRoutes(after)];
  if (old.entryRole !== current.entryRole) {
    changes.add('route.entry_changed', '', { before: old.entryRole, after: current.entryRole });
  }
  for (const pair of pairById(old.teams, current.teams, '/teams')) {
    const { id, path } = pair;
    if (pair.after === undefined) {
      changes.add('team.removed', path, { id });
      if (pair.before?.escalation.enabled) changes.add('escalation.weaker', path, { id });
    } else if (pair.before === undefined) changes.add('team.added', path, { id });
    else diffTeam(pair.before, pair.after, path, changes);
  }
}

function diffTeam(before: TeamRoute, after: TeamRoute, path: string, changes: Changes): void {
  const { id } = after;
  diffEdges(before, after, path, changes);
  const step = compareEscalation(after, before);
  changes.addStep(step, ['escalation.stronger', 'escalation.weaker'], `${path}/humanEscalation`, { id });
  const except = ['id', 'edges', 'fallbacks', 'unreachable', ...(step === 0 ? [] : ['escalation'])];
  const fields = changedFields(before, after, except);
  if (fields.length > 0) changes.add('route.changed', path, { id, fields: fields.join(', ') });
}

function diffEdges(before: TeamRoute, after: TeamRoute, path: string, changes: Changes): void {
  const [old, current] = [new Set(before.edges.map(write)), new Set(after.edges.map(write))];
  const { id } = after;
  for (const [index, edge] of after.edges.entries()) {
    if (!old.has(write(edge)))
      changes.add('route.edge_added', `${path}/handoffGraph/${index}`, { id, edge: show(edge) });
  }
  for (const [index, edge] of before.edges.entries()) {
    if (current.has(write(edge))) continue;
    changes.add('route.edge_removed', `${path}/handoffGraph/${index}`, { id, edge: show(edge) });
  }
}

function write({ source, target, type, condition, priority }: RouteEdge): string {
  return JSON.stringify([source, target, type, condition, priority]);
}

function show({ source, target, type, condition }: RouteEdge): string {
  return `${source} → ${target} (${type}${condition === null ? '' : `: ${condition}`})`;
}

/** Positive if a person is asked sooner. */
function compareEscalation(a: TeamRoute, b: TeamRoute): number {
  const rank = ({ escalation }: TeamRoute) =>
    escalation.enabled ? (escalation.maxRetries ?? 1) : Number.MAX_SAFE_INTEGER;
  return rank(b) - rank(a);
}
