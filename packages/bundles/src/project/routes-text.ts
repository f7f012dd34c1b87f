import type { Locale } from '@parley/base';
import { type Bundle, computeRoutes, type RouteEdge, type TeamRoute } from '@parley/documents/bundle';
import { inline } from '../blocks/inline.ts';
import { field, list } from './role-text.ts';
import { type ProjectionTexts, textsOf } from './texts.ts';

/** Renders how the team hands over, for `ROLEOS.md` (BA-4). */
export function renderRoutes(bundle: Bundle, locale: Locale): string {
  const texts = textsOf(locale);
  const { entryRole, teams } = computeRoutes(bundle);
  return [...field(texts.entry, entryRole), '', ...teams.map((team) => renderTeam(team, texts))].join('\n');
}

function renderTeam(team: TeamRoute, texts: ProjectionTexts): string {
  const { condition, maxRetries, enabled } = team.escalation;
  const retries = maxRetries === null ? '' : `, ${texts.retries}: ${maxRetries}`;
  const failures = Object.entries(team.degradation).flatMap(([failure, what]) =>
    what === null ? [] : `${failure} → ${what}`,
  );
  return [
    `### ${texts.team}: ${inline(team.label)} (${team.id})`,
    '',
    ...field(texts.topology, team.topology ?? undefined),
    ...field(texts.entry, team.entryRole),
    ...field(texts.roles, team.members.join(', ')),
    ...list(
      texts.routes,
      team.edges.map((edge) => renderEdge(edge, texts)),
    ),
    ...list(texts.termination, team.termination),
    ...list(texts.degradation, failures),
    ...field(texts.escalation, enabled ? `${condition ?? texts.always}${retries}` : texts.never),
    '',
  ].join('\n');
}

function renderEdge({ source, target, type, condition, priority, label }: RouteEdge, texts: ProjectionTexts): string {
  const details = [
    type,
    ...(condition === null ? [] : [`${texts.condition} ${condition}`]),
    ...(priority === null ? [] : [`${texts.priority} ${priority}`]),
  ];
  return `${source} → ${target} (${details.join('; ')})${label === null ? '' : `: ${label}`}`;
}
