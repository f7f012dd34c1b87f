import { NETWORK_SCOPE } from '@parley/client';
import { useTranslation } from 'react-i18next';

/** What opening pages means here, wherever someone is about to allow it: an agent does not know on what device its words are read (WC-17). */
export function FetchNote({ scope }: { readonly scope: string }) {
  const { t } = useTranslation('parts');
  return scope === NETWORK_SCOPE && <span className="block text-sm text-medium">{t('fetchedByServer')}</span>;
}
