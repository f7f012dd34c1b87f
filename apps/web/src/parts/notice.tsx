import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  info: { style: 'bg-info-soft text-info', Icon: Info },
  success: { style: 'bg-low-soft text-low', Icon: CircleCheck },
  warning: { style: 'bg-medium-soft text-medium', Icon: TriangleAlert },
  error: { style: 'bg-high-soft text-high', Icon: CircleAlert },
} as const;

export type Tone = keyof typeof TONES;

/** Errors interrupt a screen reader; all other notices wait. */
export function Notice({
  tone = 'info',
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string | undefined;
  readonly children?: ReactNode;
}) {
  const { style, Icon } = TONES[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classNames('flex gap-3 rounded-lg px-4 py-3 text-sm', style)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 break-words">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}
