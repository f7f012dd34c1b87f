import { fillIn } from '../capability/preview-words.ts';
import type { Locale } from '../finding.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { BundlePreview, PreviewCapability, PreviewMember } from './preview.ts';
import { PREVIEW_WORDS } from './preview-words.ts';
import type { RouteEdge, TeamRoute } from './routes.ts';

type Words = (typeof PREVIEW_WORDS)['en'];
const MAX_TEXT = 400;

/** BA-1: the preview for a person to read, `notes` about what is missing first. Whatever comes from the bundle is escaped. */
export function renderMarkdown(preview: BundlePreview, locale: Locale = 'en', notes: readonly string[] = []): string {
  const words = PREVIEW_WORDS[locale];
  const sections = [
    [`# ${safe(preview.headline)}`, '', fill(words.risk, { risk: words.risks[preview.risk] })],
    ...(notes.length > 0 ? [[`## ${words.missing}`, '', ...notes.map((note) => `- ${safe(note)}`)]] : []),
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
    ...(kits.length > 0 ? [`  - ${fill(words.uses, { kits: kits.join(words.comma) })}`] : []),
    ...boundaries.map((text) => `  - ${fill(words.never, { text })}`),
  ];
}

function renderKit(kit: PreviewCapability, words: Words): string[] {
  const { runtime, source, digest } = kit;
  const detail = kit.description === '' ? kit.capabilities.join(words.comma) : kit.description;
  return [
    `- **${safe(kit.label)}** (${safe(kit.kit)}), ${fill(words.risk, { risk: words.risks[kit.risk] })}: ${safe(detail)}`,
    ...(runtime === null ? [] : [`  - ${fill(words.runsOn, { runtime })}`]),
    ...(digest === null ? [] : [`  - ${fill(words.from, { source: source ?? '?', digest })}`]),
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
  const { label, id, entryRole: entry, edges, fallbacks, degradation, escalation, unreachable, termination } = team;
  const rules = Object.entries(degradation).flatMap(([failure, rule]) =>
    rule === null ? [] : [`${failure} → ${rule}`],
  );
  return [
    `- **${fill(words.team, { label, id, entry })}**`,
    ...edges.map((edge) => `  - ${renderEdge(edge, words)}`),
    ...fallbacks.map(({ source, targets }) => `  - ${fill(words.fallbacks, { source, targets: targets.join(' → ') })}`),
    ...(unreachable.length > 0 ? [`  - ${fill(words.unreachable, { ids: unreachable.join(words.comma) })}`] : []),
    ...(rules.length > 0 ? [`  - ${fill(words.degradation, { rules: rules.join(words.comma) })}`] : []),
    `  - ${escalation.enabled ? fill(words.escalation, { count: escalation.maxRetries ?? 1 }) : words.noEscalation}`,
    `  - ${fill(words.termination, { rules: termination.join(words.comma) })}`,
  ];
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
  return escapeMarkdown(text, MAX_TEXT);
}

function fill(text: string, params: Readonly<Record<string, string | number>>): string {
  const escaped = Object.entries(params).map(([name, value]) => [name, safe(String(value))] as const);
  return fillIn(text, Object.fromEntries(escaped));
}
