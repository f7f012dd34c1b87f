import type { Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { isObject, type Json } from '../json/value.ts';
import type { PermissionScope, Tool } from './manifest.ts';
import { PRESET_SCOPES } from './presets.ts';

const MAX_LABEL = 80;
const MAX_DESCRIPTION = 400;

/** Languages in the order they are tried; a trailing `-` stands for any region or script of that language. */
const PREFERENCES: Readonly<Record<Locale, readonly string[]>> = {
  en: ['en', 'en-'],
  'zh-CN': ['zh-cn', 'zh-hans-cn', 'zh-hans', 'zh', 'zh-', 'en', 'en-'],
};

export interface ScopeText {
  readonly label: string;
  readonly description?: string;
}

/**
 * The words that a person sees for a scope (CM-12): the built-in ones, else the manifest's own, else the i18n key, else
 * the id.
 */
export function scopeText(scope: PermissionScope, locale: Locale): ScopeText {
  const preset = PRESET_SCOPES.get(scope.id);
  if (preset !== undefined) return { label: preset.label[locale], description: preset.description[locale] };
  const label =
    readText(scope.label_fallback, locale, MAX_LABEL) ??
    readText(scope.label_i18n_key, locale, MAX_LABEL) ??
    displayText(scope.id, MAX_LABEL);
  const description = readText(scope.description_fallback, locale) ?? readText(scope.description_i18n_key, locale);
  return description === undefined ? { label } : { label, description };
}

/** The words that a person reads about a tool (CM-12): the manifest's own, else the i18n key, else the name. */
export function toolText(tool: Tool, locale: Locale): string {
  return (
    readText(tool.description_fallback, locale) ?? readText(tool.description_i18n_key, locale) ?? displayText(tool.name)
  );
}

/**
 * The text for a locale, fit to be shown; undefined if nothing would be visible. Manifests with the same hash must read
 * the same, so the order of the keys does not count.
 */
export function readText(text: Json | undefined, locale: Locale, max = MAX_DESCRIPTION): string | undefined {
  if (typeof text === 'string') return displayText(text, max) || undefined;
  if (!isObject(text)) return undefined;
  const locales = Object.keys(text).sort();
  const candidates = PREFERENCES[locale].flatMap((wanted) => locales.filter((name) => fits(name, wanted)));
  for (const name of [...candidates, ...locales]) {
    const shown = typeof text[name] === 'string' ? displayText(text[name], max) : '';
    if (shown !== '') return shown;
  }
  return undefined;
}

function fits(name: string, wanted: string): boolean {
  const tag = name.toLowerCase().replaceAll('_', '-');
  return wanted.endsWith('-') ? tag.startsWith(wanted) : tag === wanted;
}
