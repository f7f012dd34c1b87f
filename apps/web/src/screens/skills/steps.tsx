import { fractionOf, type SkillEvent } from '@parley/client';
import { displayText } from '@parley/documents';
import { useTranslation } from 'react-i18next';

/** Lists the events of an execution in order. */
export function Steps({ events }: { readonly events: readonly SkillEvent[] }) {
  const { t } = useTranslation('skills');
  if (events.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="font-medium">{t('progress')}</h3>
      <ol className="grid gap-2 border-l pl-4 text-sm">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events stand in the order they happened in
          <li key={index} className="grid gap-1">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span className="text-muted tabular-nums">{t('elapsed', { seconds: inSeconds(event.after_ms) })}</span>
              <Step event={event} />
            </span>
            {event.message !== undefined && (
              <bdi className="break-words text-muted">{displayText(event.message, 300)}</bdi>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Step({ event }: { readonly event: SkillEvent }) {
  const { t } = useTranslation('skills');
  if (event.type === 'cancelling') return t('event.cancelling');
  if (event.type === 'state') {
    const fraction = fractionOf(event);
    return (
      <>
        {event.status && t('event.state', { status: t(`state.${event.status}`) })}
        {fraction !== undefined && (
          <span className="tabular-nums">{t('percent', { percent: Math.round(fraction * 100) })}</span>
        )}
      </>
    );
  }
  const { attempt, max_attempts: max, code = '', delay_ms: delay = 0 } = event;
  return t('event.retry', { attempt, max, code: displayText(code, 64), seconds: inSeconds(delay) });
}

export function inSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
