import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { canonicalise } from '../json/canonicalise.ts';
import type { Json } from '../json/value.ts';
import type { SchemaChange, Step } from '../schema/diff/index.ts';
import type { ChangeFact } from './changes.ts';
import type { Change, ManifestDiff } from './diff.ts';
import { CHANGE_TEXTS, DIFF_WORDS } from './diff-words.ts';

const MAX_VALUE = 80;

/** The sentence about one change. What it quotes comes from manifests, and is made fit to be shown. */
export function describeChange(fact: ChangeFact, locale: Locale): string {
  if (fact.edit === undefined) {
    const { tool, scope } = fact;
    return fill(CHANGE_TEXTS[fact.code][locale], { tool, scope, ...fact.params });
  }
  const { edit } = fact;
  const steps = edit.keyword === 'required' ? [...edit.steps, (edit.after ?? edit.before) as string] : edit.steps;
  const params = {
    where: place(steps, locale),
    place: place(edit.steps, locale),
    keyword: edit.keyword,
    before: value(edit.before),
    after: value(edit.after),
  };
  const sentence = fill(CHANGE_TEXTS[textKey(edit)][locale], params);
  if (edit.witness === undefined) return sentence;
  return sentence + fill(DIFF_WORDS.example[locale], { witness: value(edit.witness) });
}

function textKey(edit: SchemaChange): keyof typeof CHANGE_TEXTS {
  const part = edit.side === 'new' ? 'property_added' : 'property_removed';
  switch (edit.code) {
    case 'schema.narrowed':
      if (edit.undecided) return 'schema.narrowed.undecided';
      if (edit.keyword === '') return edit.steps.length === 0 ? 'schema.narrowed.whole' : `schema.narrowed.${part}`;
      if (edit.side === 'old') return 'schema.narrowed.removed';
      return edit.before === undefined ? 'schema.narrowed.added' : 'schema.narrowed';
    case 'schema.widened':
      if (edit.keyword === 'required') return 'schema.widened.optional';
      if (edit.keyword === '') return edit.steps.length === 0 ? 'schema.widened.whole' : `schema.widened.${part}`;
      return 'schema.widened';
    default:
      return edit.code;
  }
}

/** A place in the arguments, as a developer would write it: `filter.tags[0]`. */
function place(steps: readonly Step[], locale: Locale): string {
  if (steps.length === 0) return DIFF_WORDS.arguments[locale];
  return steps
    .map((step) => (typeof step === 'string' ? `.${step}` : `[${typeof step === 'number' ? step : ''}]`))
    .join('')
    .replace(/^\./, '');
}

function value(json: Json | undefined): string {
  return json === undefined ? '' : displayText(canonicalise(json), MAX_VALUE);
}

function fill(template: string, params: Readonly<Record<string, unknown>>): string {
  return fillText(template, params, (value) => displayText(String(value)));
}

/** The whole diff as plain text: verdict first, then tool by tool, what is breaking before what is not. */
export function renderDiff(diff: ManifestDiff, locale: Locale): string {
  const total = diff.changes.length;
  if (total === 0) return DIFF_WORDS[diff.oldHash === diff.newHash ? 'none' : 'order'][locale];
  const breaking = diff.changes.filter((change) => change.breaking).length;
  const lines = [fill(DIFF_WORDS[diff.breaking ? 'breaking' : 'silent'][locale], { breaking, total })];
  if (diff.scopesRequiringReauth.length > 0) {
    lines.push(fill(DIFF_WORDS.reauth[locale], { scopes: diff.scopesRequiringReauth.join(', ') }));
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

/** Changes by what they are about, breaking ones first, in and among the groups. */
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
  if (tool !== undefined) return fill(DIFF_WORDS.tool[locale], { name: tool });
  return scope === undefined ? DIFF_WORDS.agent[locale] : fill(DIFF_WORDS.scope[locale], { name: scope });
}
