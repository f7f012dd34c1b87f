import { fillText, type Locale } from '@parley/base';
import { escapeMarkdown } from './escape-markdown.ts';
import type { BundlePreview, PreviewCapability, PreviewMember } from './preview.ts';
import { PREVIEW_WORDS } from './preview-words.ts';
import type { RouteEdge, TeamRoute } from './routes.ts';

type Words = (typeof PREVIEW_WORDS)['en'];
const MAX_NOTE = 400;

/**
 * BA-1: all of the preview for a person to read, `notes` about what is missing first. Whatever comes from the bundle is
 * escaped, and nothing is cut: who reads this agrees to what the preview says.
 */
export function renderMarkdown(preview: BundlePreview, locale: Locale = 'en', notes: readonly string[] = []): string {
  const words = PREVIEW_WORDS[locale];
  const sections = [
    [`# ${safe(preview.headline)}`, '', fill(words.risk, { risk: words.risks[preview.risk] })],
    ...(preview.description === '' ? [] : [[fill(words.about, { text: preview.description })]]),
    ...(notes.length > 0
      ? [[`## ${words.missing}`, '', ...notes.map((note) => `- ${escapeMarkdown(note, MAX_NOTE)}`)]]
      : []),
    [`## ${words.members}`, '', ...preview.members.flatMap((member) => renderMember(member, words))],
    [`## ${words.capabilities}`, '', ...preview.capabilities.flatMap((kit) => renderKit(kit, words))],
    [`## ${words.permissions}`, '', ...renderPermissions(preview, words)],
    [`## ${words.routes}`, '', ...renderRoutes(preview, words)],
    [`## ${words.files}`, '', ...preview.files.map(({ path, action }) => `- ${words.actions[action]}: ${safe(path)}`)],
    [fill(words.plan, { digest: preview.planDigest })],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderMember({ id, label, purpose, isEntry, kits, boundaries }: PreviewMember, words: Words): string[] {
  const mark = isEntry ? ` — ${words.entry}` : '';
  return [
    `- **${safe(label)}** (${safe(id)})${mark}${purpose === '' ? '' : `: ${safe(purpose)}`}`,
    ...(kits.length > 0 ? [`  - ${fill(words.uses, { kits }, words)}`] : []),
    ...boundaries.map((text) => `  - ${fill(words.never, { text })}`),
  ];
}

function renderKit(kit: PreviewCapability, words: Words): string[] {
  const { description, capabilities, runtime, source, digest } = kit;
  const about = description === '' ? '' : `: ${safe(description)}`;
  return [
    `- **${safe(kit.label)}** (${safe(kit.kit)}), ${fill(words.risk, { risk: words.risks[kit.risk] })}${about}`,
    `  - ${fill(words.can, { capabilities }, words)}`,
    ...(runtime === null ? [] : [`  - ${fill(words.runsOn, { runtime })}`]),
    ...(source === null && digest === null
      ? []
      : [`  - ${fill(words.from, { source: source ?? '?', digest: digest ?? '?' })}`]),
  ];
}

function renderPermissions({ permissions }: BundlePreview, words: Words): string[] {
  if (permissions.length === 0) return [words.noPermissions];
  return permissions.map(({ kit, type, target, mode }) => `- ${fill(words.permission, { kit, type, target, mode })}`);
}

function renderRoutes({ routes }: BundlePreview, words: Words): string[] {
  if (routes.teams.length === 0) return [fill(words.noTeams, { entry: routes.entryRole })];
  return routes.teams.flatMap((team) => renderTeam(team, words));
}

function renderTeam(team: TeamRoute, words: Words): string[] {
  const { label, id, entryRole: entry, members, topology, concurrency, edges, fallbacks, unreachable } = team;
  const rules = Object.entries(team.degradation).flatMap(([failure, rule]) =>
    rule === null ? [] : [`${failure} → ${rule}`],
  );
  return [
    `- **${fill(words.team, { label, id, entry })}**`,
    `  - ${fill(words.teamMembers, { members }, words)}`,
    ...(topology === null ? [] : [`  - ${fill(words.topology, { topology })}`]),
    ...(concurrency === null ? [] : [`  - ${fill(words.concurrency, { concurrency })}`]),
    ...edges.map((edge) => `  - ${renderEdge(edge, words)}`),
    ...fallbacks.map(({ source, targets }) => `  - ${fill(words.fallbacks, { source, targets }, { comma: ' → ' })}`),
    ...(unreachable.length > 0 ? [`  - ${fill(words.unreachable, { ids: unreachable }, words)}`] : []),
    ...(rules.length > 0 ? [`  - ${fill(words.degradation, { rules }, words)}`] : []),
    ...renderEscalation(team.escalation, words).map((line) => `  - ${line}`),
    `  - ${fill(words.termination, { rules: team.termination }, words)}`,
  ];
}

function renderEscalation({ enabled, condition, maxRetries }: TeamRoute['escalation'], words: Words): string[] {
  const when = condition === null ? [] : [fill(words.escalationWhen, { condition })];
  // Not in force, and yet part of what the bundle says.
  const tries = maxRetries === null ? [] : [fill(words.escalation, { count: maxRetries })];
  if (!enabled) return [words.noEscalation, ...tries, ...when];
  return [...(tries.length > 0 ? tries : [fill(words.escalation, { count: 1 })]), ...when];
}

function renderEdge({ source, target, type, condition, priority, label }: RouteEdge, words: Words): string {
  const details = [
    words.edges[type],
    ...(condition === null ? [] : [fill(words.condition, { condition })]),
    ...(priority === null ? [] : [fill(words.priority, { priority })]),
  ];
  return `${safe(source)} → ${safe(target)} (${details.join(words.comma)})${label === null ? '' : `: ${safe(label)}`}`;
}

function safe(text: string): string {
  return escapeMarkdown(text, Number.POSITIVE_INFINITY);
}

type Filling = string | number | readonly string[];

function fill(text: string, params: Readonly<Record<string, Filling>>, { comma } = { comma: ', ' }): string {
  const fit = (value: Filling) => (typeof value === 'object' ? value.map(safe).join(comma) : safe(String(value)));
  return fillText(text, Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fit(value)])));
}
