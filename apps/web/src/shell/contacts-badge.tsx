import { countWaiting } from '@parley/client';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../client/provider.tsx';

/** The number of requests and invitations that wait for an answer. */
export function ContactsBadge() {
  const { t } = useTranslation('contacts');
  const count = countWaiting(useReadable(useDevice().contacts));
  if (count === 0) return null;
  return (
    <span className="ms-auto min-w-5 rounded-full bg-accent px-1.5 text-center text-xs font-semibold text-on-accent">
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{t('waiting', { count })}</span>
    </span>
  );
}
