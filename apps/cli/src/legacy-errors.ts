import type { Locale } from '@parley/base';
import { BundleError } from '@parley/bundles';
import { ClientFailure, explainClientFailure } from '@parley/client';
import { displayText } from '@parley/documents';
import { ApiError, explainFailure, explainStoreFailure, StoreFailure } from '@parley/messenger';
import { ERRORS, type ErrorCode, errorText } from '@parley/protocol';
import { KeyringError } from '@parley/skills';

/** The sentence of an error whose package does not throw a ParleyError yet. The file goes with the last of them. */
export function explainLegacyError(error: Error, locale: Locale): string | undefined {
  if (error instanceof ApiError) {
    const { code, wire, message } = error;
    const known = Object.hasOwn(ERRORS, code);
    return (
      explainFailure(error, locale) ??
      (known ? errorText(code as ErrorCode, locale, wire?.error.params ?? {}) : message)
    );
  }
  if (error instanceof BundleError) {
    const params = Object.fromEntries(Object.entries(error.params).map(([name, text]) => [name, displayText(text)]));
    return errorText(error.code, locale, params);
  }
  if (error instanceof StoreFailure) return explainStoreFailure(error, locale);
  if (error instanceof ClientFailure) return explainClientFailure(error.code, locale) ?? error.message;
  return error instanceof KeyringError ? error.message : undefined;
}
