import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { canonicalise } from '../json/canonicalise.ts';
import type { Json } from '../json/value.ts';
import type { SchemaChange, Step } from '../schema/diff/index.ts';
import type { ChangeFact } from './changes.ts';
import { CHANGE_TEXTS, DIFF_TEXTS } from './diff-texts.ts';

const MAX_VALUE = 80;

const LEVELS: Readonly<Record<string, string>> = { low: '低', medium: '中', high: '高' };
const SCOPES = new Set(['scope', 'from', 'to']);

/** The sentence about one change. Its values come from manifests, and are made fit to be shown. */
export function describeChange(fact: ChangeFact, locale: Locale, nameScope: (id: string) => string): string {
  if (fact.edit === undefined) {
    const { tool, scope } = fact;
    const hasLevels = /scope/.test(fact.code);
    const word = ([name, value]: [string, unknown]) => {
      if (typeof value !== 'string') return [name, value];
      if (SCOPES.has(name)) return [name, nameScope(value)];
      return [name, hasLevels && locale === 'zh-CN' ? (LEVELS[value] ?? value) : value];
    };
    const params = Object.entries({ tool, scope, ...fact.params }).map(word);
    const sentence = fill(CHANGE_TEXTS[fact.code][locale], Object.fromEntries(params));
    // Chinese quotes have their own room.
    return locale === 'zh-CN' ? sentence.replaceAll(/ (?=“)|(?<=”) /g, '') : sentence;
  }
  const { edit } = fact;
  const steps = edit.keyword === 'required' ? [...edit.steps, (edit.after ?? edit.before) as string] : edit.steps;
  const params = {
    where: describePath(steps, locale),
    place: describePath(edit.steps, locale),
    keyword: edit.keyword,
    before: value(edit.before),
    after: value(edit.after),
  };
  const sentence = fill(CHANGE_TEXTS[textKey(edit)][locale], params);
  if (edit.witness === undefined) return sentence;
  return sentence + fill(DIFF_TEXTS.example[locale], { witness: value(edit.witness) });
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

/** Writes a path in the arguments as a developer would: `filter.tags[0]`. */
function describePath(steps: readonly Step[], locale: Locale): string {
  if (steps.length === 0) return DIFF_TEXTS.arguments[locale];
  return steps
    .map((step) => (typeof step === 'string' ? `.${step}` : `[${typeof step === 'number' ? step : ''}]`))
    .join('')
    .replace(/^\./, '');
}

function value(json: Json | undefined): string {
  return json === undefined ? '' : displayText(canonicalise(json), MAX_VALUE);
}

export function fill(template: string, params: Readonly<Record<string, unknown>>): string {
  return fillText(template, params, (value) => displayText(String(value)));
}
