import { fillText, type Locale } from '@parley/base';
import { escapeMarkdown } from './escape-markdown.ts';
import type { BundlePreview, PreviewCapability, PreviewMember } from './preview.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';
import type { RouteEdge, TeamRoute } from './routes.ts';

type PreviewTexts = (typeof PREVIEW_TEXTS)['en'];
const MAX_NOTE = 400;

/**
 * Renders the whole preview for a person (BA-1), with `notes` about missing parts first. Everything from the bundle is
 * escaped, and nothing is cut: the reader agrees to what the preview says.
 */
export function renderMarkdown(preview: BundlePreview, locale: Locale = 'en', notes: readonly string[] = []): string {
  const texts = PREVIEW_TEXTS[locale];
  const sections = [
    [`# ${safe(preview.headline)}`, '', fill(texts.risk, { risk: texts.risks[preview.risk] })],
    ...(preview.description === '' ? [] : [[fill(texts.about, { text: preview.description })]]),
    ...(notes.length > 0
      ? [[`## ${texts.missing}`, '', ...notes.map((note) => `- ${escapeMarkdown(note, MAX_NOTE)}`)]]
      : []),
    [`## ${texts.members}`, '', ...preview.members.flatMap((member) => renderMember(member, texts))],
    [`## ${texts.capabilities}`, '', ...preview.capabilities.flatMap((kit) => renderKit(kit, texts))],
    [`## ${texts.permissions}`, '', ...renderPermissions(preview, texts)],
    [`## ${texts.routes}`, '', ...renderRoutes(preview, texts)],
    [`## ${texts.files}`, '', ...preview.files.map(({ path, action }) => `- ${texts.actions[action]}: ${safe(path)}`)],
    [fill(texts.plan, { digest: preview.planDigest })],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderMember({ id, label, purpose, isEntry, kits, boundaries }: PreviewMember, texts: PreviewTexts): string[] {
  const mark = isEntry ? ` — ${texts.entry}` : '';
  return [
    `- **${safe(label)}** (${safe(id)})${mark}${purpose === '' ? '' : `: ${safe(purpose)}`}`,
    ...(kits.length > 0 ? [`  - ${fill(texts.uses, { kits }, texts)}`] : []),
    ...boundaries.map((text) => `  - ${fill(texts.never, { text })}`),
  ];
}

function renderKit(kit: PreviewCapability, texts: PreviewTexts): string[] {
  const { description, capabilities, runtime, source, digest } = kit;
  const about = description === '' ? '' : `: ${safe(description)}`;
  return [
    `- **${safe(kit.label)}** (${safe(kit.kit)}), ${fill(texts.risk, { risk: texts.risks[kit.risk] })}${about}`,
    `  - ${fill(texts.can, { capabilities }, texts)}`,
    ...(runtime === null ? [] : [`  - ${fill(texts.runsOn, { runtime })}`]),
    ...(source === null && digest === null
      ? []
      : [`  - ${fill(texts.from, { source: source ?? '?', digest: digest ?? '?' })}`]),
  ];
}

function renderPermissions({ permissions }: BundlePreview, texts: PreviewTexts): string[] {
  if (permissions.length === 0) return [texts.noPermissions];
  return permissions.map(({ kit, type, target, mode }) => `- ${fill(texts.permission, { kit, type, target, mode })}`);
}

function renderRoutes({ routes }: BundlePreview, texts: PreviewTexts): string[] {
  if (routes.teams.length === 0) return [fill(texts.noTeams, { entry: routes.entryRole })];
  return routes.teams.flatMap((team) => renderTeam(team, texts));
}

function renderTeam(team: TeamRoute, texts: PreviewTexts): string[] {
  const { label, id, entryRole: entry, members, topology, concurrency, edges, fallbacks, unreachable } = team;
  const rules = Object.entries(team.degradation).flatMap(([failure, rule]) =>
    rule === null ? [] : [`${failure} → ${rule}`],
  );
  return [
    `- **${fill(texts.team, { label, id, entry })}**`,
    `  - ${fill(texts.teamMembers, { members }, texts)}`,
    ...(topology === null ? [] : [`  - ${fill(texts.topology, { topology })}`]),
    ...(concurrency === null ? [] : [`  - ${fill(texts.concurrency, { concurrency })}`]),
    ...edges.map((edge) => `  - ${renderEdge(edge, texts)}`),
    ...fallbacks.map(({ source, targets }) => `  - ${fill(texts.fallbacks, { source, targets }, { comma: ' → ' })}`),
    ...(unreachable.length > 0 ? [`  - ${fill(texts.unreachable, { ids: unreachable }, texts)}`] : []),
    ...(rules.length > 0 ? [`  - ${fill(texts.degradation, { rules }, texts)}`] : []),
    ...renderEscalation(team.escalation, texts).map((line) => `  - ${line}`),
    `  - ${fill(texts.termination, { rules: team.termination }, texts)}`,
  ];
}

function renderEscalation({ enabled, condition, maxRetries }: TeamRoute['escalation'], texts: PreviewTexts): string[] {
  const when = condition === null ? [] : [fill(texts.escalationWhen, { condition })];
  // The setting is not in force, but the bundle contains it.
  const tries = maxRetries === null ? [] : [fill(texts.escalation, { count: maxRetries })];
  if (!enabled) return [texts.noEscalation, ...tries, ...when];
  return [...(tries.length > 0 ? tries : [fill(texts.escalation, { count: 1 })]), ...when];
}

function renderEdge({ source, target, type, condition, priority, label }: RouteEdge, texts: PreviewTexts): string {
  const details = [
    texts.edges[type],
    ...(condition === null ? [] : [fill(texts.condition, { condition })]),
    ...(priority === null ? [] : [fill(texts.priority, { priority })]),
  ];
  return `${safe(source)} → ${safe(target)} (${details.join(texts.comma)})${label === null ? '' : `: ${safe(label)}`}`;
}

function safe(text: string): string {
  return escapeMarkdown(text, Number.POSITIVE_INFINITY);
}

type Filling = string | number | readonly string[];

function fill(text: string, params: Readonly<Record<string, Filling>>, { comma } = { comma: ', ' }): string {
  const fit = (value: Filling) => (typeof value === 'object' ? value.map(safe).join(comma) : safe(String(value)));
  return fillText(text, Object.fromEntries(Object.entries(params).map(([name, value]) => [name, fit(value)])));
}
