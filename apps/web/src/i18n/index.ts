import { LOCALES, type Locale, toLocale } from '@parley/base';
import { createInstance, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { TextTable } from './text-table.ts';

export const i18n: I18n = createInstance();

const KEY = 'parley.locale';

/** The name of each table is its namespace. */
export async function startI18n(tables: Readonly<Record<string, TextTable<object>>>): Promise<void> {
  const resources = (locale: Locale) =>
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table[locale]]));
  await i18n.use(initReactI18next).init({
    lng: chooseLocale(),
    fallbackLng: 'en',
    resources: Object.fromEntries(LOCALES.map((locale) => [locale, resources(locale)])),
    ns: Object.keys(tables),
    defaultNS: 'shell',
    // React already escapes values.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  document.documentElement.lang = i18n.language;
}

export function currentLocale(): Locale {
  return i18n.language === 'zh-CN' ? 'zh-CN' : 'en';
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
