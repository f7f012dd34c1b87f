import { explainClientFailure } from '@parley/client';
import { ApiError } from '@parley/messenger';
import { currentLocale, i18n } from '../i18n/index.ts';

/** What went wrong, for a person. The server's words come in the language that was asked for. */
export function explain(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  const own = typeof code === 'string' ? explainClientFailure(code, currentLocale()) : undefined;
  if (own !== undefined) return own;
  if (error instanceof ApiError) return error.code === 'UNREACHABLE' ? i18n.t('shell:unreachable') : error.message;
  return i18n.t('parts:failed');
}
