import type { SkillEvent, SkillProgress } from '@parley/client';
import { displayText } from '@parley/documents';
import { CircleX, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Steps } from './steps.tsx';

interface RunningProps {
  readonly progress: SkillProgress;
  /** Measured with `performance.now()`. */
  readonly began: number;
  /** Already safe to show. */
  readonly host: string;
  readonly onCancel: () => void;
}

const TICK_MS = 250;

/** Shows an execution while it runs. All messages are untrusted text. */
export function Running({ progress, began, host, onCancel }: RunningProps) {
  const { t } = useTranslation('skills');
  const { status, fraction, message, retry, events } = progress;
  const elapsed = useElapsed(began);
  return (
    <Card className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex items-baseline gap-3 text-lg font-semibold">
          {t('running')}
          <span role="timer" className="text-sm font-normal text-muted tabular-nums">
            {t('elapsed', { seconds: Math.floor(elapsed / 1_000) })}
          </span>
        </h2>
        <Button size="small" icon={<CircleX aria-hidden className="size-4" />} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </div>
      <div className="flex items-center gap-3">
        <ProgressBar label={t('running')} value={fraction} />
        {fraction !== undefined && (
          <span className="shrink-0 text-sm font-medium tabular-nums">
            {t('percent', { percent: Math.round(fraction * 100) })}
          </span>
        )}
      </div>
      <p role="status" className="min-w-0 text-sm break-words">
        {status === undefined ? t('calling', { host }) : t('event.state', { status: t(`state.${status}`) })}
        {message !== undefined && <bdi className="mt-1 block text-muted">{displayText(message, 300)}</bdi>}
      </p>
      {retry !== undefined && <Retry retry={retry} elapsed={elapsed} hasBegun={status !== undefined} />}
      <Steps events={events} />
    </Card>
  );
}

interface RetryProps {
  readonly retry: SkillEvent;
  readonly elapsed: number;
  /** After an event with a status only a status request can have failed, and no event says that it works again. */
  readonly hasBegun: boolean;
}

function Retry({ retry, elapsed, hasBegun }: RetryProps) {
  const { t } = useTranslation('skills');
  const { attempt, max_attempts: max, code = '', after_ms: after, delay_ms: delay = 0 } = retry;
  const left = (after + delay - elapsed) / 1_000;
  if (hasBegun && left <= 0) return null;
  return (
    <p className="flex items-start gap-3 rounded-lg bg-medium-soft px-4 py-3 text-sm text-medium">
      <RotateCw aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">
        <span role="status">{t('retrying', { attempt, max, code: displayText(code, 64) })}</span>
        <span className="block tabular-nums">
          {left > 0 ? t('retryIn', { seconds: Math.max(1, Math.round(left)) }) : t('retryNow')}
        </span>
      </span>
    </p>
  );
}

function useElapsed(began: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, now - began);
}
