import { LOCALES, type Locale } from '@parley/documents';

/** The first of the variables that is set decides, as in POSIX; every kind of Chinese is served by ours. */
export function detectLocale(env: NodeJS.ProcessEnv): Locale {
  const wish = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^zh([_.@-]|$)/i.test(wish) ? 'zh-CN' : 'en';
}

/**
 * What `--locale` says, read before the arguments are parsed: help and usage errors must already speak the language.
 * A value we do not know is left for the parser to refuse.
 */
export function requestedLocale(argv: readonly string[]): Locale | undefined {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const at = options.findLastIndex((word) => word === '--locale' || word.startsWith('--locale='));
  const value = options[at] === '--locale' ? options[at + 1] : options[at]?.slice('--locale='.length);
  return LOCALES.find((locale) => locale === value);
}
