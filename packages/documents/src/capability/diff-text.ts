import type { Locale } from '@parley/base';
import { fill } from './describe-change.ts';
import type { Change, ManifestDiff } from './diff.ts';
import { DIFF_TEXTS } from './diff-texts.ts';

/** Renders the whole diff as plain text: the verdict first, then tool by tool, with breaking changes before others. */
export function renderDiff(diff: ManifestDiff, locale: Locale): string {
  const total = diff.changes.length;
  if (total === 0) return DIFF_TEXTS[diff.oldHash === diff.newHash ? 'none' : 'order'][locale];
  const breaking = diff.changes.filter((change) => change.breaking).length;
  const lines = [fill(DIFF_TEXTS[diff.breaking ? 'breaking' : 'silent'][locale], { breaking, total })];
  if (diff.scopesRequiringReauth.length > 0) {
    lines.push(fill(DIFF_TEXTS.reauth[locale], { scopes: diff.scopesRequiringReauth.join(', ') }));
  }
  for (const { title, changes } of groupChanges(diff.changes, locale)) {
    lines.push('', title);
    for (const change of changes)
      lines.push(`  ${change.breaking ? '!' : '-'} ${change.message}`, `    ${change.code} ${change.path}`);
  }
  return lines.join('\n');
}

export interface ChangeGroup {
  readonly title: string;
  readonly breaking: boolean;
  readonly changes: readonly Change[];
}

/** Groups changes by their subject. Breaking changes and groups come first. */
export function groupChanges(changes: readonly Change[], locale: Locale): ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const title = titleOf(change, locale);
    const group = groups.get(title);
    if (group) group.push(change);
    else groups.set(title, [change]);
  }
  return [...groups]
    .map(([title, list]) => ({
      title,
      breaking: list.some((change) => change.breaking),
      changes: [...list.filter((change) => change.breaking), ...list.filter((change) => !change.breaking)],
    }))
    .sort((a, b) => Number(b.breaking) - Number(a.breaking));
}

function titleOf({ tool, scope }: Change, locale: Locale): string {
  if (tool !== undefined) return fill(DIFF_TEXTS.tool[locale], { name: tool });
  return scope === undefined ? DIFF_TEXTS.agent[locale] : fill(DIFF_TEXTS.scope[locale], { name: scope });
}
