import type { Locale } from '@parley/base';
import { type Bundle, computeRoutes, type RouteEdge, type TeamRoute } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import { field, list } from './role-text.ts';
import { type Words, wordsOf } from './words.ts';

/** How the team hands over, for `ROLEOS.md` (BA-4). */
export function renderRoutes(bundle: Bundle, locale: Locale): string {
  const words = wordsOf(locale);
  const { entryRole, teams } = computeRoutes(bundle);
  return [...field(words.entry, entryRole), '', ...teams.map((team) => renderTeam(team, words))].join('\n');
}

function renderTeam(team: TeamRoute, words: Words): string {
  const { condition, maxRetries, enabled } = team.escalation;
  const retries = maxRetries === null ? '' : `, ${words.retries}: ${maxRetries}`;
  const failures = Object.entries(team.degradation).flatMap(([failure, what]) =>
    what === null ? [] : `${failure} → ${what}`,
  );
  return [
    `### ${words.team}: ${inline(team.label)} (${team.id})`,
    '',
    ...field(words.topology, team.topology ?? undefined),
    ...field(words.entry, team.entryRole),
    ...field(words.roles, team.members.join(', ')),
    ...list(
      words.routes,
      team.edges.map((edge) => renderEdge(edge, words)),
    ),
    ...list(words.termination, team.termination),
    ...list(words.degradation, failures),
    ...field(words.escalation, enabled ? `${condition ?? words.always}${retries}` : words.never),
    '',
  ].join('\n');
}

function renderEdge({ source, target, type, condition, priority, label }: RouteEdge, words: Words): string {
  const details = [
    type,
    ...(condition === null ? [] : [`${words.condition} ${condition}`]),
    ...(priority === null ? [] : [`${words.priority} ${priority}`]),
  ];
  return `${source} → ${target} (${details.join('; ')})${label === null ? '' : `: ${label}`}`;
}
