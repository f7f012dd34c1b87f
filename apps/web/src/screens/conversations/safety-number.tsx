import type { Identities } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Digits } from '../../parts/digits.tsx';
import { Notice } from '../../parts/notice.tsx';

/** The same digits on both sides mean that nobody is intercepting the connection (EE-9). */
export function SafetyNumber({ party }: { readonly party: Parameters<Identities['safetyNumber']>[0] }) {
  const { t } = useTranslation('conversations');
  const { identities } = useDevice();
  const number = useQuery({ queryKey: ['safety', party.id], queryFn: () => identities.safetyNumber(party) });
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{t('safety')}</h3>
      <p className="text-sm text-muted">{t('safetyLead')}</p>
      {number.data !== undefined && <Digits text={number.data} label={t('safetyQr')} />}
      {number.error !== null && <Notice tone="error">{explain(number.error)}</Notice>}
    </section>
  );
}
