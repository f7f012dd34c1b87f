import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { classNames } from './class-names.ts';

const LEVELS = {
  low: { style: 'bg-low-soft text-low', Icon: ShieldCheck },
  medium: { style: 'bg-medium-soft text-medium', Icon: ShieldQuestion },
  high: { style: 'bg-high-soft text-high', Icon: ShieldAlert },
} as const;

/** Shows a sensitivity level by colour, shape and word. */
export function Level({ level }: { readonly level: keyof typeof LEVELS }) {
  const { t } = useTranslation('parts');
  const { style, Icon } = LEVELS[level];
  return (
    <span
      className={classNames('inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-xs font-semibold', style)}
    >
      <Icon aria-hidden className="size-3.5" />
      {t(`level.${level}`)}
    </span>
  );
}

const TONES = { plain: 'bg-raised text-muted', good: 'bg-low-soft text-low', bad: 'bg-high-soft text-high' } as const;

interface TagProps {
  readonly tone?: keyof typeof TONES;
  readonly children: string;
}

export function Tag({ tone = 'plain', children }: TagProps) {
  return (
    <span className={classNames('inline-flex rounded-full px-2.5 py-0.5 text-xs font-medium', TONES[tone])}>
      {children}
    </span>
  );
}
