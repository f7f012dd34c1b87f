import { displayText, type Json } from '@parley/documents';

const MASK = '[secret]';
const MAX_TEXT = 500;
const MAX_DEPTH = 8;

/** Removes credentials from a provider's text: it may send back what it was sent. */
export interface Redactor {
  add(secret: string): void;
  text(text: string): string;
  /** Also shortens the text to one line, so that it may be shown. */
  json(value: Json): Json;
}

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const text = (original: string): string => {
    let shown = original;
    // The longest secret is replaced first: one may be part of another.
    for (const secret of [...secrets].sort((a, b) => b.length - a.length)) shown = shown.replaceAll(secret, MASK);
    return shown;
  };
  const json = (value: Json, depth = 0): Json => {
    if (typeof value === 'string') return displayText(text(value), MAX_TEXT);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return null;
    if (Array.isArray(value)) return value.slice(0, 100).map((item: Json) => json(item, depth + 1));
    const entries = Object.entries(value).slice(0, 100);
    return Object.fromEntries(entries.map(([key, item]) => [displayText(text(key)), json(item, depth + 1)]));
  };
  return {
    add: (secret) => {
      if (secret === '') return;
      secrets.add(secret);
      secrets.add(encodeURIComponent(secret));
      secrets.add(Buffer.from(secret).toString('base64'));
      // The secret may also occur as a step of a JSON Pointer.
      secrets.add(secret.replaceAll('~', '~0').replaceAll('/', '~1'));
    },
    text,
    json: (value) => json(value),
  };
}
