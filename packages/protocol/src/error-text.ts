import { fillText, type Texts } from '@parley/base';
import { ERRORS, type ErrorCode } from './errors.ts';

export type ErrorParams = Readonly<Record<string, unknown>>;

/** Returns the sentence of an error. A missing parameter stays visible as `{name}`. */
export function errorText(code: ErrorCode, locale: keyof Texts, params: ErrorParams = {}): string {
  return fillText(ERRORS[code].text[locale], params);
}

export function i18nKey(code: ErrorCode): string {
  return `error.${code.toLowerCase()}`;
}
