import type { OtherDevice } from '@parley/client';
import { useTranslation } from 'react-i18next';

interface UnconfirmedProps {
  readonly devices: readonly OtherDevice[];
  /** The agent that something was taken back from, where the page does not say it. */
  readonly agent?: string;
  /** What was taken back is a device. */
  readonly ofDevice?: boolean;
}

/** EE-23: who has not said yet that it knows what was taken back. It goes by itself when all have. */
export function Unconfirmed({ devices, agent, ofDevice = false }: UnconfirmedProps) {
  const { t, i18n } = useTranslation('parts');
  const names = new Intl.ListFormat(i18n.language).format(devices.map(({ name }) => t('quoted', { name })));
  const count = devices.length;
  const text = () => {
    if (ofDevice) return t('unconfirmedDevice', { names, count });
    return agent === undefined ? t('unconfirmed', { names, count }) : t('unconfirmedOf', { names, count, agent });
  };
  return (
    <p role="status" className="text-sm text-muted empty:hidden">
      {count === 0 ? null : text()}
    </p>
  );
}
