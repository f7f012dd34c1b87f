import type { RiskLevel } from '@parley/documents/bundle';
import { OctagonAlert, ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../parts/class-names.ts';

const STYLES = {
  low: { style: 'bg-low-soft text-low', Icon: ShieldCheck },
  medium: { style: 'bg-medium-soft text-medium', Icon: ShieldQuestion },
  high: { style: 'bg-high-soft text-high', Icon: ShieldAlert },
  critical: { style: 'bg-high text-surface', Icon: OctagonAlert },
} as const;

/** Shows the risk by colour, shape and word. */
export function Risk({ risk }: { readonly risk: RiskLevel }) {
  const { t } = useTranslation('bundles');
  const { style, Icon } = STYLES[risk];
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-semibold whitespace-nowrap',
        style,
      )}
    >
      <Icon aria-hidden className="size-3.5" />
      {t(`risk.${risk}`)}
    </span>
  );
}
