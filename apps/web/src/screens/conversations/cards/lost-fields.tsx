import { displayText, displayValue } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Notice } from '../../../parts/notice.tsx';
import type { FieldValue } from './card-draft.ts';

interface LostFieldsProps {
  readonly lost: readonly { readonly id: string; readonly label: string; readonly value: FieldValue }[];
  readonly onDone: () => void;
}

/** What a person had typed into fields that the agent has taken out of the card: it is theirs, so they can copy it. */
export function LostFields({ lost, onDone }: LostFieldsProps) {
  const { t } = useTranslation('cards');
  const texts = lost.filter(({ value }) => typeof value === 'string');
  return (
    <Notice tone="warning">
      <p>{t('lost')}</p>
      <dl className="my-2 grid gap-1">
        {lost.map(({ id, label, value }) => (
          <div key={id} className="wrap-anywhere">
            <dt className="inline font-semibold">
              <bdi>{displayText(label, 80)}</bdi>
            </dt>{' '}
            <dd className="inline">
              <bdi className="whitespace-pre-wrap">
                {typeof value === 'string' ? displayValue(value, 2_000).text : '✓'}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        {texts.length > 0 && <CopyButton text={texts.map(({ value }) => value).join('\n')} />}
        <Button size="small" variant="quiet" onClick={onDone}>
          {t('lostDone')}
        </Button>
      </div>
    </Notice>
  );
}
