import { toLocale } from '@parley/base';
import { createInstance, type i18n as I18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { parts } from '../parts/texts.ts';
import { agents } from '../screens/agents/texts.ts';
import { audit } from '../screens/audit/texts.ts';
import { bundles } from '../screens/bundles/texts.ts';
import { conversations } from '../screens/conversations/texts.ts';
import { agentEvents } from '../screens/developer/events/texts.ts';
import { developer } from '../screens/developer/texts.ts';
import { deviceFlow } from '../screens/device/texts.ts';
import { permissions } from '../screens/permissions/texts.ts';
import { settings } from '../screens/settings/texts.ts';
import { signIn } from '../screens/sign-in/texts.ts';
import { skills } from '../screens/skills/texts.ts';
import { shell } from '../shell/texts.ts';

/** One entry for each part of the app; its name is the namespace. */
const TEXTS = {
  parts,
  shell,
  signIn,
  conversations,
  agents,
  permissions,
  audit,
  settings,
  deviceFlow,
  developer,
  agentEvents,
  bundles,
  skills,
} as const;

export const LOCALES = ['en', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];

const resources = (locale: Locale) =>
  Object.fromEntries(Object.entries(TEXTS).map(([name, texts]) => [name, texts[locale]]));

export const i18n: I18n = createInstance();

const KEY = 'parley.locale';

export async function startI18n(): Promise<void> {
  await i18n.use(initReactI18next).init({
    lng: chooseLocale(),
    fallbackLng: 'en',
    resources: { en: resources('en'), 'zh-CN': resources('zh-CN') },
    ns: Object.keys(TEXTS),
    defaultNS: 'shell',
    // React escapes.
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

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: { [Name in keyof typeof TEXTS]: (typeof TEXTS)[Name]['en'] };
  }
}
