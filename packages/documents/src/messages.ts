import { fillText, type Locale, type Texts } from '@parley/base';
import { CODES, PHRASES } from './codes.ts';
import { displayText } from './display-text.ts';
import { canonicalise } from './json/canonicalise.ts';
import type { Finding, Message } from './json/finding.ts';
import { get, type Json, type JsonObject } from './json/value.ts';
import { ARGUMENT_MESSAGES } from './schema/messages.ts';

export type TextTable = Readonly<Record<string, Texts>>;

/** The texts for findings in manifests, in JSON text and in a tool's arguments. */
export const FINDING_TEXTS: TextTable = { ...CODES, ...ARGUMENT_MESSAGES };

/** Parameters with machine words that a sentence replaces with phrases. */
const PHRASE_PARAMS = new Set(['expected', 'actual', 'found']);
const OR: Readonly<Record<Locale, string>> = { en: ' or ', 'zh-CN': '或' };

/** Adds the sentence to a finding. Parameters come from untrusted documents, so they are made fit to be shown. */
export function toMessage(finding: Finding, locale: Locale, texts: TextTable = FINDING_TEXTS): Message {
  const { code, severity, path, params } = finding;
  const key = Object.hasOwn(texts, code) ? code : `${code}.${params.reason}`;
  if (!Object.hasOwn(texts, key)) throw new TypeError(`toMessage: no text for the code ${displayText(key)}`);
  const message = fillText(texts[key]![locale], params, (_, name) => fill(name, params, locale));
  return { code, severity, path, params, message };
}

function fill(name: string, params: JsonObject, locale: Locale): string {
  const value = get(params, name);
  if (PHRASE_PARAMS.has(name)) {
    return [value]
      .flat()
      .map((word) => phrase(String(word), locale))
      .join(OR[locale]);
  }
  if (Array.isArray(value)) return displayText(value.map((item: Json) => canonicalise(item)).join(', '));
  return displayText(String(value));
}

function phrase(word: string, locale: Locale): string {
  return Object.hasOwn(PHRASES, word) ? PHRASES[word as keyof typeof PHRASES][locale] : displayText(word);
}
