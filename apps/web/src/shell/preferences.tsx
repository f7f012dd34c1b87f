import { LOCALES, type Locale } from '@parley/base';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLocale, setLocale } from '../i18n/index.ts';
import { currentTheme, setTheme, type Theme } from './theme.ts';

const NAMES = { en: 'English', 'zh-CN': '简体中文' } as const;
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const BOX = 'min-h-9 rounded-lg border bg-surface px-2 text-sm';

/** Selects language and theme, even before anyone is signed in. */
export function Preferences({ onLocale }: { readonly onLocale?: (locale: Locale) => void }) {
  const { t } = useTranslation('shell');
  const [theme, choose] = useState(currentTheme());
  return (
    <div className="flex flex-wrap gap-4 text-sm text-muted">
      <label className="flex items-center gap-2">
        {t('language')}
        <select
          className={BOX}
          value={currentLocale()}
          onChange={({ target }) => {
            const locale = target.value as Locale;
            void setLocale(locale);
            onLocale?.(locale);
          }}
        >
          {LOCALES.map((locale) => (
            <option key={locale} value={locale}>
              {NAMES[locale]}
            </option>
          ))}
        </select>
      </label>
      <label className="flex items-center gap-2">
        {t('theme.label')}
        <select
          className={BOX}
          value={theme}
          onChange={({ target }) => {
            setTheme(target.value as Theme);
            choose(target.value as Theme);
          }}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`theme.${name}`)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
