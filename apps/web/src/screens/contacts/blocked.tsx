import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Card } from '../../parts/card.tsx';
import { BlockButton } from './block.tsx';
import { nameOf } from './name.ts';

export function Blocked() {
  const { t } = useTranslation('contacts');
  const { blocked, loaded } = useReadable(useDevice().contacts);
  return (
    <Card flush>
      <div className="px-5 py-4">
        <h2 className="font-semibold">{t('blocked')}</h2>
        {loaded && blocked.length === 0 && <p className="text-sm text-muted">{t('noBlocked')}</p>}
      </div>
      <ul className="divide-y border-t empty:hidden">
        {blocked.map((one) => (
          <li key={one.user_id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <p className="min-w-0 flex-1 truncate">
              <bdi>{nameOf(one, t('unnamed'))}</bdi>
            </p>
            <BlockButton accountId={one.user_id} name={nameOf(one, t('unnamed'))} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
