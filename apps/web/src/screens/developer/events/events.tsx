import type { AgentWatch, WatchedEvent, WatchSnapshot } from '@parley/client';
import { Activity, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useReadableByFrame } from '../../../client/provider.tsx';
import { Button } from '../../../parts/button.tsx';
import { Empty } from '../../../parts/card.tsx';
import { classNames } from '../../../parts/class-names.ts';
import { Notice } from '../../../parts/notice.tsx';
import { ScrollArea } from '../../../parts/scroll-area.tsx';
import { Select } from '../../../parts/select.tsx';
import { Announce } from './announce.tsx';
import { KINDS, type Kind, kindOf, Line } from './line.tsx';

/** Lists the events of the agent, newest first (HS-12). */
export function Events({ watch }: { readonly watch: AgentWatch }) {
  const { t } = useTranslation('agentEvents');
  const snapshot = useReadableByFrame(watch);
  const [kind, setKind] = useState<Kind | ''>('');
  const [paused, setPaused] = useState<readonly WatchedEvent[]>();
  const events = paused ?? snapshot.events;
  const newest = snapshot.events.at(-1)?.key ?? -1;
  const waiting = paused === undefined ? 0 : newest - (paused.at(-1)?.key ?? -1);
  const shown = events.filter(({ event }) => kind === '' || kindOf(event) === kind || kindOf(event) === 'events');
  const clear = () => {
    watch.clear();
    setPaused(paused && []);
  };
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="agent-events">
      <div>
        <h2 id="agent-events" className="flex flex-wrap items-center gap-3 text-lg font-semibold">
          {t('title')}
          <Status status={paused === undefined ? snapshot.status : 'paused'} />
        </h2>
        <p className="text-sm text-muted">{t('lead')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label={t('show')}
          labelHidden
          value={kind}
          onChange={(value) => setKind(value as Kind | '')}
          options={[{ value: '', label: t('all') }, ...KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))]}
          className="min-w-40 flex-1 sm:flex-none"
        />
        {paused === undefined ? (
          <Button icon={<Pause aria-hidden className="size-4" />} onClick={() => setPaused(snapshot.events)}>
            {t('pause')}
          </Button>
        ) : (
          <Button variant="primary" icon={<Play aria-hidden className="size-4" />} onClick={() => setPaused(undefined)}>
            {waiting > 0 ? t('resumeNew', { count: waiting }) : t('resume')}
          </Button>
        )}
        <Button
          variant="quiet"
          icon={<Trash2 aria-hidden className="size-4" />}
          disabled={events.length === 0}
          onClick={clear}
        >
          {t('clear')}
        </Button>
      </div>
      <Trouble watch={watch} snapshot={snapshot} />
      {events.length === 0 ? (
        <Empty icon={<Activity aria-hidden className="size-8" />} title={t('none')}>
          {t('noneLead')}
        </Empty>
      ) : shown.length === 0 ? (
        <Notice>{t('noneOfKind')}</Notice>
      ) : (
        <ScrollArea
          as="section"
          aria-label={t('list')}
          className="max-h-[36rem] overflow-y-auto rounded-card border bg-surface shadow-card"
        >
          <ol reversed className="divide-y">
            {shown.toReversed().map(({ key, event }) => (
              <li key={key}>
                <Line event={event} />
              </li>
            ))}
          </ol>
        </ScrollArea>
      )}
      <Announce newest={newest} />
    </section>
  );
}

const DOTS = {
  connecting: 'bg-medium',
  live: 'bg-low',
  waiting: 'bg-medium',
  replaced: 'bg-muted',
  ended: 'bg-high',
  paused: 'bg-muted',
} as const;

function Status({ status }: { readonly status: keyof typeof DOTS }) {
  const { t } = useTranslation('agentEvents');
  return (
    <span className="inline-flex items-center gap-2 rounded-full bg-raised px-2.5 py-0.5 text-xs font-medium text-muted">
      <span aria-hidden className={classNames('size-2 rounded-full', DOTS[status])} />
      {t(`status.${status}`)}
    </span>
  );
}

/** Explains why no events arrive and what to do about it. */
function Trouble({ watch, snapshot }: { readonly watch: AgentWatch; readonly snapshot: WatchSnapshot }) {
  const { t } = useTranslation('agentEvents');
  const { status, error } = snapshot;
  if (status === 'ended') return <Notice tone="error">{explain(error)}</Notice>;
  if (status !== 'replaced' && status !== 'waiting') return null;
  return (
    <Notice tone="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{status === 'replaced' ? t('replacedLead') : error === undefined ? t('status.waiting') : explain(error)}</p>
        <Button size="small" onClick={() => watch.resume()}>
          {t(status === 'replaced' ? 'goOn' : 'tryNow')}
        </Button>
      </div>
    </Notice>
  );
}
