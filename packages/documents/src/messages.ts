import { fillText, type Locale } from '@parley/base';
import { CODES, WORDS } from './codes.ts';
import { displayText } from './display-text.ts';
import type { Finding, Message } from './finding.ts';
import { canonicalise } from './json/canonicalise.ts';
import { get, type Json, type JsonObject } from './json/value.ts';
import { ARGUMENT_MESSAGES } from './schema/messages.ts';
import { SKILL_CODES } from './skill/codes.ts';

type TextTable = Readonly<Record<string, Readonly<Record<Locale, string>>>>;
const TEXTS: TextTable = {
  ...CODES,
  ...ARGUMENT_MESSAGES,
  ...SKILL_CODES,
};

/** Parameters that hold machine words where a sentence needs phrases. */
const WORD_PARAMS = new Set(['expected', 'actual', 'found']);
const OR: Readonly<Record<Locale, string>> = { en: ' or ', 'zh-CN': '或' };

/** A finding with its sentence. Parameters come from untrusted documents, so they are made fit to be shown. */
export function toMessage(finding: Finding, locale: Locale, texts: TextTable = TEXTS): Message {
  const { code, severity, path, params } = finding;
  const key = Object.hasOwn(texts, code) ? code : `${code}.${params.reason}`;
  if (!Object.hasOwn(texts, key)) throw new TypeError(`toMessage: no text for the code ${displayText(key)}`);
  const message = fillText(texts[key]![locale], params, (_, name) => fill(name, params, locale));
  return { code, severity, path, params, message };
}

function fill(name: string, params: JsonObject, locale: Locale): string {
  const value = get(params, name);
  if (WORD_PARAMS.has(name)) {
    return [value]
      .flat()
      .map((word) => phrase(String(word), locale))
      .join(OR[locale]);
  }
  if (Array.isArray(value)) return displayText(value.map((item: Json) => canonicalise(item)).join(', '));
  return displayText(String(value));
}

function phrase(word: string, locale: Locale): string {
  return Object.hasOwn(WORDS, word) ? WORDS[word as keyof typeof WORDS][locale] : displayText(word);
}
