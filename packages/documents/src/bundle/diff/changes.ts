import { fillText, type Locale } from '@parley/base';
import { displayText } from '../../display-text.ts';
import { type BundleChangeCode, type BundleConsent, CHANGE_RULES } from './rules.ts';

export interface BundleChange {
  readonly code: BundleChangeCode;
  /** JSON Pointer into the new bundle; for removals into the old one. */
  readonly path: string;
  readonly consent: BundleConsent;
  readonly params: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Collects the changes with their sentences. */
export class Changes {
  readonly list: BundleChange[] = [];
  readonly #locale: Locale;

  constructor(locale: Locale) {
    this.#locale = locale;
  }

  add(code: BundleChangeCode, path: string, params: Readonly<Record<string, string>> = {}): void {
    const shown = Object.fromEntries(Object.entries(params).map(([name, text]) => [name, displayText(text)]));
    const rule = CHANGE_RULES[code];
    this.list.push({ code, path, consent: rule.consent, params: shown, message: fillText(rule[this.#locale], shown) });
  }

  /** Adds one code for an increase or the other for a decrease; adds nothing if the value is the same. */
  addStep(
    step: number,
    [raised, lowered]: readonly [BundleChangeCode, BundleChangeCode],
    path: string,
    params: Record<string, string>,
  ): void {
    if (step !== 0) this.add(step > 0 ? raised : lowered, path, params);
  }
}

interface Pair<Item> {
  readonly id: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** The path of the item; if it was removed, its old path. */
  readonly path: string;
}

/** Pairs two lists by id: first the current items, then the removed ones. */
export function* pairById<Item extends { readonly id: string }>(
  before: readonly Item[] = [],
  after: readonly Item[] = [],
  path: string,
): Generator<Pair<Item>> {
  const old = new Map(before.map((item) => [item.id, item]));
  const ids = new Set(after.map(({ id }) => id));
  for (const [index, item] of after.entries()) {
    yield { id: item.id, before: old.get(item.id), after: item, path: `${path}/${index}` };
  }
  for (const [index, item] of before.entries()) {
    if (!ids.has(item.id)) yield { id: item.id, before: item, after: undefined, path: `${path}/${index}` };
  }
}
