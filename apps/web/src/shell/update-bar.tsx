import { RefreshCw } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { applyUpdate, updateReady } from '../client/update.ts';
import { Button } from '../parts/button.tsx';

/** It is shown only if a new version is ready. */
export function UpdateBar() {
  const { t } = useTranslation('shell');
  const isReady = useSyncExternalStore(updateReady.subscribe, updateReady.getSnapshot);
  if (!isReady) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-3 bg-info-soft px-4 py-1.5 text-sm text-info">
      <RefreshCw aria-hidden className="size-4" />
      <span className="min-w-0 flex-1">{t('update')}</span>
      <Button size="small" onClick={applyUpdate}>
        {t('reload')}
      </Button>
    </div>
  );
}
