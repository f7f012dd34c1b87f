import type { RouteEdge, Routes, TeamRoute } from '@parley/documents/bundle';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';

/** Lists who starts, and for each team who hands over to whom, in order (BA-8). Each is one line without indentation. */
export function formatRoutes(routes: Routes, words: Words): string[] {
  const { say } = words;
  if (routes.teams.length === 0) return [say('routes.alone', { entry: displayName(routes.entryRole) })];
  return routes.teams.flatMap((team) => formatTeam(team, words));
}

function formatTeam(team: TeamRoute, words: Words): string[] {
  const { say } = words;
  const list = (ids: readonly string[], separator = say('list.separator')) => ids.map(displayName).join(separator);
  const { label, id, entryRole, edges, fallbacks, unreachable, termination, degradation, escalation } = team;
  const rules = Object.entries(degradation).flatMap(([failure, rule]) =>
    rule === null ? [] : [`${failure} → ${displayName(rule)}`],
  );
  return [
    say('routes.team', { label: displayName(label), id: displayName(id), entry: displayName(entryRole) }),
    ...edges.map((edge) => `  ${formatEdge(edge, words)}`),
    ...fallbacks.map(
      ({ source, targets }) =>
        `  ${say('routes.fallbacks', { source: displayName(source), targets: list(targets, ' → ') })}`,
    ),
    ...(unreachable.length > 0 ? [`  ${say('routes.unreachable', { ids: list(unreachable) })}`] : []),
    ...(rules.length > 0 ? [`  ${say('routes.degradation', { rules: rules.join(say('list.separator')) })}`] : []),
    `  ${formatEscalation(escalation, words)}`,
    `  ${say('routes.termination', { rules: list(termination) })}`,
  ];
}

function formatEdge({ source, target, type, condition, priority, label }: RouteEdge, { say }: Words): string {
  const details = [
    type,
    ...(condition === null ? [] : [say('routes.condition', { condition: displayName(condition) })]),
    ...(priority === null ? [] : [say('routes.priority', { priority })]),
  ];
  const note = label === null ? '' : `  ${displayName(label)}`;
  return `${displayName(source)} → ${displayName(target)}  (${details.join(say('list.separator'))})${note}`;
}

function formatEscalation({ enabled, condition, maxRetries }: TeamRoute['escalation'], { say }: Words): string {
  if (!enabled) return say('routes.no_escalation');
  const when = condition === null ? '' : ` (${displayName(condition)})`;
  return `${say('routes.escalation', { count: maxRetries ?? 1 })}${when}`;
}
