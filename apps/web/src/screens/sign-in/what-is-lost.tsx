import { useTranslation } from 'react-i18next';
import { Notice } from '../../parts/notice.tsx';

/** What the recovery secret is for, and what becomes of an account without it (WC-5). */
export function WhatIsLost() {
  const { t } = useTranslation('signIn');
  return (
    <Notice title={t('keysAndPassword.title')}>
      <p>{t('keysAndPassword.secret')}</p>
      <p className="mt-1">{t('keysAndPassword.lost')}</p>
    </Notice>
  );
}
