import { LOCALES, type Locale } from '@parley/base';

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
