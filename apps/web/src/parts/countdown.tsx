import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const RADIUS = 15;
const LENGTH = 2 * Math.PI * RADIUS;

/** Shows a ring that empties. The guard alone decides when the time is over. */
export function Countdown({ deadline, total }: { readonly deadline: number; readonly total: number }) {
  const { t } = useTranslation('parts');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, deadline - now);
  const seconds = Math.ceil(left / 1_000);
  return (
    <div
      className="relative grid size-10 shrink-0 place-items-center"
      role="timer"
      aria-label={t('secondsLeft', { count: seconds })}
    >
      <svg viewBox="0 0 36 36" className="absolute inset-0 -rotate-90" aria-hidden="true">
        <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="18"
          cy="18"
          r={RADIUS}
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - left / total)}
          className="stroke-high"
        />
      </svg>
      <span className="text-sm font-semibold tabular-nums">{seconds}</span>
    </div>
  );
}
