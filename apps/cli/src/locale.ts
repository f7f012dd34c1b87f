import { LOCALES, type Locale } from '@parley/base';

/**
 * Reads `--locale` before the arguments are parsed, because help and usage errors are already in that language. The
 * parser refuses an unknown value.
 */
export function requestedLocale(argv: readonly string[]): Locale | undefined {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const at = options.findLastIndex((word) => word === '--locale' || word.startsWith('--locale='));
  const value = options[at] === '--locale' ? options[at + 1] : options[at]?.slice('--locale='.length);
  return LOCALES.find((locale) => locale === value);
}
