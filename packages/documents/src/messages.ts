import { CODES, WORDS } from './codes.ts';
import { displayText } from './display-text.ts';
import type { Finding, Locale, Message } from './finding.ts';
import { get, type JsonObject } from './json/value.ts';

/** Parameters that hold a machine word where a sentence needs a phrase. */
const WORD_PARAMS = new Set(['expected', 'actual', 'found']);

/** A finding with its sentence. Parameters come from untrusted documents, so they are made fit to be shown. */
export function toMessage(finding: Finding, locale: Locale): Message {
  const { code, severity, path, params } = finding;
  const key = Object.hasOwn(CODES, code) ? code : `${code}.${params.reason}`;
  if (!Object.hasOwn(CODES, key)) throw new TypeError(`toMessage: no text for the code ${displayText(key)}`);
  const message = CODES[key as keyof typeof CODES][locale].replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    fill(name, params, locale),
  );
  return { code, severity, path, params, message };
}

function fill(name: string, params: JsonObject, locale: Locale): string {
  const value = String(get(params, name));
  if (WORD_PARAMS.has(name) && Object.hasOwn(WORDS, value)) return WORDS[value as keyof typeof WORDS][locale];
  return displayText(value);
}
