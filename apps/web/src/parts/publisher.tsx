import { displayText } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { sentenceSpace } from '../i18n/index.ts';

export interface PublisherProps {
  readonly owner: { readonly display_name: string; readonly account_mark: string };
}

/** The account that published something. Anyone may call themselves as they like, so its mark stands beside (WC-61). */
export function Publisher({ owner }: PublisherProps) {
  const { t } = useTranslation('parts');
  return (
    <>
      <bdi>{displayText(owner.display_name, 80)}</bdi>
      {sentenceSpace()}
      <span className="whitespace-nowrap text-muted" title={t('publisher.hint')}>
        {t('publisher.account', { mark: owner.account_mark })}
      </span>
    </>
  );
}

export function PublishedBy({ owner }: PublisherProps) {
  const { t } = useTranslation('parts');
  return (
    <span>
      {t('publisher.by')}
      {sentenceSpace()}
      <Publisher owner={owner} />
    </span>
  );
}
