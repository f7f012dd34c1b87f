import { ERRORS, type ErrorCode, type Texts } from './errors.ts';

export type ErrorParams = Readonly<Record<string, unknown>>;

/** The sentence of an error. A parameter that is missing stays visible as `{name}`. */
export function errorText(code: ErrorCode, locale: keyof Texts, params: ErrorParams = {}): string {
  // One pass: a value that looks like a placeholder is not expanded again.
  return ERRORS[code].text[locale].replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : placeholder,
  );
}

export function i18nKey(code: ErrorCode): string {
  return `error.${code.toLowerCase()}`;
}
