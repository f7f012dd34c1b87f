import { describeConflict, type ShadowPreview } from '@parley/bundles';
import type { BundlePreview, RiskLevel } from '@parley/documents/bundle';
import { displayName } from '../display.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { formatRoutes } from './format-routes.ts';
import type { Origin } from './registry.ts';

const RISK_COLOUR = { low: 'green', medium: 'yellow', high: 'red', critical: 'red' } as const;
const SIGNS = { create: '+', modify: '~', remove: '-' } as const;

interface PreviewContext {
  readonly words: Words;
  readonly paint: Paint;
  readonly workspace: string;
  readonly origin: Origin | undefined;
}

/** Formats what a person reads before agreeing: the roles, their tools and permissions, the risk, and the files that change. */
export function formatPreview({ reply, plan, missing, upgrade }: ShadowPreview, context: PreviewContext): string {
  const { words, paint, workspace } = context;
  const { say } = words;
  const { preview } = reply;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n${paint('bold', title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return [
    `${paint('bold', preview.headline)}\n`,
    formatOrigin(context),
    section(say('preview.roles'), formatMembers(preview, words)),
    section(say('preview.kits'), formatKits(preview, context)),
    section(say('preview.permissions'), formatPermissions(preview, words)),
    section(say('preview.routes'), formatRoutes(preview.routes, words)),
    section(
      say('preview.files', { workspace: displayName(workspace) }),
      preview.files.map(({ path, action }) => `${SIGNS[action]} ${path}`),
    ),
    section(
      say('preview.upgrade', { version: plan.replaces ?? '' }),
      (upgrade?.changes ?? []).map(({ consent, message }) =>
        consent === 'reauth' ? paint('red', `! ${message}`) : `  ${message}`,
      ),
    ),
    section(
      say('preview.missing'),
      missing.map(({ message }) => paint('yellow', `! ${message}`)),
    ),
    section(
      say('preview.conflicts'),
      plan.conflicts.map((conflict) => paint('red', `✗ ${describeConflict(conflict, words.locale)}`)),
    ),
    `\n${say('preview.plan', { digest: preview.planDigest })}\n`,
  ].join('');
}

function formatOrigin({ origin, words, paint }: PreviewContext): string {
  if (origin === undefined) return '';
  const { registry, publisher, yanked } = origin;
  const from = words.say('preview.origin', { registry, publisher: displayName(publisher) });
  return `${from}\n${yanked ? `${paint('red', words.say('preview.yanked'))}\n` : ''}`;
}

function formatMembers({ members }: BundlePreview, { say }: Words): string[] {
  return members.flatMap(({ id, label, purpose, isEntry, kits, boundaries }) => [
    `${label} (${id})${isEntry ? ` — ${say('preview.entry')}` : ''}${purpose === '' ? '' : `: ${purpose}`}`,
    ...(kits.length > 0 ? [`  ${say('preview.uses', { kits: kits.join(say('list.separator')) })}`] : []),
    ...boundaries.map((text) => `  ${say('preview.boundary', { text })}`),
  ]);
}

function formatKits({ capabilities }: BundlePreview, { words, paint }: PreviewContext): string[] {
  const { say } = words;
  const risk = (level: RiskLevel) => paint(RISK_COLOUR[level], say(`risk.${level}`));
  return capabilities.flatMap((kit) => [
    `${kit.label} (${kit.kit}) — ${risk(kit.risk)}: ${kit.description || kit.capabilities.join(say('list.separator'))}`,
    ...(kit.runtime === null ? [] : [`  ${say('preview.runs_on', { runtime: kit.runtime })}`]),
    ...(kit.digest === null ? [] : [`  ${say('preview.from', { source: kit.source ?? '?', digest: kit.digest })}`]),
  ]);
}

function formatPermissions({ permissions }: BundlePreview, { say }: Words): string[] {
  if (permissions.length === 0) return [say('preview.no_permissions')];
  return permissions.map(({ kit, type, target, mode }) => `${type} ${mode}: ${target} (${kit})`);
}
