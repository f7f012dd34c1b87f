import type { Texts } from '@parley/base';
import { type ErrorParams, errorText, i18nKey } from './error-text.ts';
import { ERRORS, type ErrorCode } from './errors.ts';

/** The envelope of every error (TR-7). */
export interface WireError {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly i18n_key: string;
    readonly params: ErrorParams;
    readonly request_id: string;
  };
}

export interface WireErrorInput {
  readonly code: ErrorCode;
  readonly params?: ErrorParams;
  readonly requestId: string;
  readonly locale: keyof Texts;
}

export function toWire({ code, params = {}, requestId, locale }: WireErrorInput): WireError {
  const statuses: readonly number[] = ERRORS[code].http;
  const shown = statuses.some((status) => status >= 500) ? {} : params;
  const message = errorText(code, locale, shown);
  return { error: { code, message, i18n_key: i18nKey(code), params: shown, request_id: requestId } };
}
