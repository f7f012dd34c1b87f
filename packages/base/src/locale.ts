export const LOCALES = ['en', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];

/** One sentence in each language; `{name}` stands for a parameter. */
export type Texts = Readonly<Record<Locale, string>>;

export type Params = Readonly<Record<string, unknown>>;

/** The locale for a language tag or a POSIX locale: every kind of Chinese is `zh-CN`, everything else is English. */
export function toLocale(tag: string): Locale {
  return /^zh(?:[-_.@]|$)/i.test(tag.trim()) ? 'zh-CN' : 'en';
}

/** The locale of a process: the first of the variables that is set decides, as in POSIX. */
export function localeOfEnvironment(env: Readonly<Record<string, string | undefined>>): Locale {
  return toLocale(env.LC_ALL || env.LC_MESSAGES || env.LANG || '');
}

/** The language that an `Accept-Language` header prefers (RFC 9110, section 12.5.4) among those that we have. */
export function readAcceptLanguage(header: string | undefined): Locale {
  const best = { locale: 'en' as Locale, weight: 0 };
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = readWeight(parameters);
    if (weight > best.weight && /^(?:en|zh)(?:-|$)/i.test(tag)) Object.assign(best, { locale: toLocale(tag), weight });
  }
  return best.locale;
}

function readWeight(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => /^q=([01](?:\.\d{0,3})?)$/i.exec(parameter)?.[1]).find(Boolean);
  return written === undefined ? 1 : Number(written);
}

/**
 * Fills the `{name}` placeholders of a text in one pass, so that a value that looks like a placeholder is not expanded.
 * A placeholder without a value stays as it is, where someone will notice it.
 */
export function fillText(
  text: string,
  params: Params,
  show: (value: unknown, name: string) => string = String,
): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) && params[name] !== undefined ? show(params[name], name) : placeholder,
  );
}
