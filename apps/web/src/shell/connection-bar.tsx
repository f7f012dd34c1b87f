import { WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../client/provider.tsx';

/** It is shown only while the device is offline. */
export function ConnectionBar() {
  const { t } = useTranslation('shell');
  const status = useReadable(useDevice().connection);
  if (status !== 'offline') return null;
  return (
    <p role="status" className="flex items-center gap-2 bg-medium-soft px-4 py-1.5 text-sm text-medium">
      <WifiOff aria-hidden className="size-4" /> {t('offline')}
    </p>
  );
}
