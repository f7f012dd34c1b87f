import { isParleyError } from '@parley/base';
import { currentLocale, i18n } from '../i18n/index.ts';

/** Explains an error to a person. */
export function explain(error: unknown): string {
  // The page came from that server, so there is no address to check.
  if (isParleyError(error, 'UNREACHABLE')) return i18n.t('shell:unreachable');
  return isParleyError(error) ? error.explain(currentLocale()) : i18n.t('parts:failed');
}
