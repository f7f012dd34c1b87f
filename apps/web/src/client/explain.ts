import { isParleyError } from '@parley/base';
import { currentLocale, i18n } from '../i18n/index.ts';

/** What went wrong, for a person. */
export function explain(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  // The page came from that server: there is no address to check.
  if (code === 'UNREACHABLE') return i18n.t('shell:unreachable');
  if (isParleyError(error)) return error.explain(currentLocale());
  // The server's sentence, in the language that was asked for.
  if (error instanceof Error && name === 'ApiError') return error.message;
  return i18n.t('parts:failed');
}
