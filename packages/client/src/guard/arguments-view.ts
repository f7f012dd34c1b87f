import { displayValue, type Json, type JsonObject } from '@parley/documents';

/** Arguments as a person may see them: structured, collapsible, every text fit to be shown, none of it markup (CG-10). */
export interface ArgumentView {
  readonly name: string;
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value of anything but an object or an array. */
  readonly text?: string;
  /** Characters that did not fit into `text`. */
  readonly cut?: number;
  readonly items?: readonly ArgumentView[];
  /** Items that are not among `items`. */
  readonly more?: number;
}

const MAX_TEXT = 4_000;
const MAX_NAME = 200;
const MAX_ITEMS = 200;
const MAX_DEPTH = 32;

export function viewArguments(args: JsonObject): readonly ArgumentView[] {
  return viewMembers(Object.entries(args), 0).items ?? [];
}

function view(name: string, value: Json, depth: number): ArgumentView {
  const head = { name: viewName(name) };
  if (value === null) return { ...head, kind: 'null', text: 'null' };
  if (typeof value === 'string') return { ...head, kind: 'string', ...viewText(value) };
  if (typeof value === 'number') return { ...head, kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { ...head, kind: 'boolean', text: String(value) };
  const kind = Array.isArray(value) ? 'array' : 'object';
  // Nobody unfolds that deep; the rest is shown as text.
  if (depth >= MAX_DEPTH) return { ...head, kind, ...viewText(JSON.stringify(value)) };
  return { ...head, kind, ...viewMembers(Object.entries(value), depth + 1) };
}

function viewMembers(entries: readonly (readonly [string, Json])[], depth: number) {
  const items = entries.slice(0, MAX_ITEMS).map(([name, value]) => view(name, value, depth));
  return entries.length > MAX_ITEMS ? { items, more: entries.length - MAX_ITEMS } : { items };
}

function viewName(name: string): string {
  const { text, cut } = displayValue(name, MAX_NAME);
  return cut === 0 ? text : `${text}… (+${cut})`;
}

function viewText(value: string) {
  const { text, cut } = displayValue(value, MAX_TEXT);
  return cut === 0 ? { text } : { text, cut };
}
