import { LOCALES, type Locale, toLocale } from '@parley/base';
import { createInstance, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isolate } from './isolate.ts';
import type { TextTable } from './text-table.ts';

export const i18n: I18n = createInstance();

const KEY = 'parley.locale';

/** The name of each table is its namespace. */
type Tables = Readonly<Record<string, TextTable<object>>>;

export async function startI18n(tables: Tables): Promise<void> {
  const resources = (locale: Locale) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table[locale]]));
  await i18n.use(initReactI18next).init({
    lng: chooseLocale(),
    fallbackLng: 'en',
    resources: Object.fromEntries(LOCALES.map((locale) => [locale, resources(locale)])),
    ns: Object.keys(tables),
    defaultNS: 'shell',
    // React escapes what is markup.
    interpolation: { escapeValue: true, escape: isolate },
    returnNull: false,
  });
  document.documentElement.lang = i18n.language;
}

/** Adds the texts of pages that are loaded later. */
export function addTexts(tables: Tables): void {
  for (const [name, table] of Object.entries(tables))
    for (const locale of LOCALES) i18n.addResourceBundle(locale, name, table[locale]);
}

export function currentLocale(): Locale {
  return i18n.language === 'zh-CN' ? 'zh-CN' : 'en';
}

/** What stands between two sentences: in Chinese, nothing. */
export function sentenceSpace(): string {
  return currentLocale() === 'zh-CN' ? '' : ' ';
}

export async function setLocale(locale: Locale): Promise<void> {
  localStorage.setItem(KEY, locale);
  await i18n.changeLanguage(locale);
  document.documentElement.lang = locale;
}

function chooseLocale(): Locale {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'en' || chosen === 'zh-CN') return chosen;
  return navigator.languages.some((language) => toLocale(language) === 'zh-CN') ? 'zh-CN' : 'en';
}
