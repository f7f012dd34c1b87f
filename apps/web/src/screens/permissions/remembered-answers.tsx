import type { DenialView, QuestionStopView, WindowView } from '@parley/client';
import { displayText } from '@parley/documents';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { sentenceSpace } from '../../i18n/index.ts';
import { duration, longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { offerUndo } from '../../parts/undo.ts';
import { useAction } from '../../parts/use-action.ts';

const MINUTE_MS = 60_000;

export interface Remembered {
  readonly windows: readonly WindowView[];
  readonly denials: readonly DenialView[];
  readonly stops: readonly QuestionStopView[];
}

/** What is remembered and in force now. */
export function useRemembered(): Remembered {
  const { windows, denials, questionStops } = useReadable(useDevice().remembered);
  const now = useNow();
  return {
    windows: windows.filter(({ endsAt }) => endsAt > now),
    denials,
    stops: questionStops.filter(({ until }) => until > now),
  };
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  // What was remembered after the last tick must not count as over.
  return Math.max(now, Date.now());
}

interface RememberedAnswersProps {
  readonly remembered: Remembered;
  /** In the card of one agent: only what there is, and without its name. */
  readonly inCard?: boolean;
}

/** Lists the answers that are remembered: silent windows, "always deny", "stop asking for an hour". */
export function RememberedAnswers({ remembered: { windows, denials, stops }, inCard = false }: RememberedAnswersProps) {
  const { t } = useTranslation('permissions');
  const sections = [
    {
      title: t('windows'),
      lead: `${t('windowsLead')}${sentenceSpace()}${t('remembered.hereOnly')}`,
      none: t('noWindows'),
      items: windows.map((window) => <WindowItem key={window.id} window={window} inCard={inCard} />),
    },
    {
      title: t('denials'),
      lead: `${t('denialsLead')}${sentenceSpace()}${t('remembered.everywhere')}`,
      none: t('noDenials'),
      items: denials.map((denial) => (
        <DenialItem key={`${denial.agentId} ${denial.toolName}`} denial={denial} inCard={inCard} />
      )),
    },
    {
      title: t('stops'),
      lead: `${t('stopsLead')}${sentenceSpace()}${t('remembered.hereOnly')}`,
      none: undefined,
      items: stops.map((stop) => <StopItem key={stop.agentId} stop={stop} />),
    },
  ];
  const shown = sections.filter(({ none, items }) => items.length > 0 || (!inCard && none !== undefined));
  return shown.map((section) => <Section key={section.title} {...section} inCard={inCard} />);
}

interface SectionProps {
  readonly title: string;
  readonly lead: string;
  readonly none: string | undefined;
  readonly items: readonly ReactNode[];
  readonly inCard: boolean;
}

function Section({ title, lead, none, items, inCard }: SectionProps) {
  const Heading = inCard ? 'h3' : 'h2';
  const content = (
    <>
      <div className={`border-b px-5 ${inCard ? 'bg-page py-2' : 'py-3'}`}>
        <Heading className={inCard ? 'text-sm font-semibold' : 'font-semibold'}>{title}</Heading>
        <p className="text-sm text-muted">{lead}</p>
      </div>
      {items.length === 0 ? (
        <p className="px-5 py-4 text-sm text-muted">{none}</p>
      ) : (
        <ul className="divide-y">{items}</ul>
      )}
    </>
  );
  return inCard ? <div className="border-t">{content}</div> : <Card flush>{content}</Card>;
}

function WindowItem({ window, inCard }: { readonly window: WindowView; readonly inCard: boolean }) {
  const { t } = useTranslation('permissions');
  const { remembered } = useDevice();
  const { agentName: agent, endsAt, reach, edge } = window;
  const tool = displayText(window.tool, 64);
  const covers = reach === 'edge' ? (edge ?? '') : t(`covers.${reach}`);
  const left = t('left', { time: duration(endsAt - Date.now()) });
  return (
    <Item
      title={tool}
      covers={covers}
      detail={inCard ? left : `${agent} · ${left}`}
      action={t('ask')}
      label={t('askLabel', { tool: window.tool, agent, covers })}
      done={t('remembered.windowClosed', { tool, agent })}
      takeBack={() => remembered.closeWindow(window)}
    />
  );
}

function DenialItem({ denial, inCard }: { readonly denial: DenialView; readonly inCard: boolean }) {
  const { t, i18n } = useTranslation(['permissions', 'parts']);
  const { remembered } = useDevice();
  const { agentName: agent, createdAt, unconfirmed } = denial;
  const tool = displayText(denial.toolName, 64);
  const since = t('since', { time: longTime(createdAt) });
  const names = unconfirmed.map(({ name }) => t('parts:quoted', { name }));
  return (
    <Item
      title={tool}
      detail={inCard ? since : `${agent} · ${since}`}
      remark={
        names.length === 0
          ? undefined
          : t('remembered.unconfirmed', {
              names: new Intl.ListFormat(i18n.language).format(names),
              count: names.length,
            })
      }
      action={t('allowAgain')}
      label={t('allowAgainLabel', { tool: denial.toolName, agent })}
      done={t('remembered.denialLifted', { tool, agent })}
      takeBack={() => remembered.removeDenial(denial)}
    />
  );
}

function StopItem({ stop }: { readonly stop: QuestionStopView }) {
  const { t } = useTranslation('permissions');
  const { remembered } = useDevice();
  const { agentName: agent, until } = stop;
  return (
    <Item
      title={agent}
      detail={t('left', { time: duration(until - Date.now()) })}
      action={t('allowAgain')}
      label={t('stopLabel', { agent })}
      done={t('remembered.stopEnded', { agent })}
      takeBack={() => remembered.askAgain(stop)}
    />
  );
}

interface ItemProps {
  readonly title: string;
  /** How far a window reaches. */
  readonly covers?: string | undefined;
  readonly detail: string;
  /** Changes by itself, so it is said to screen readers, too. */
  readonly remark?: string | undefined;
  readonly action: string;
  readonly label: string;
  /** The outcome, in a sentence. */
  readonly done: string;
  /** Returns how to undo it. */
  readonly takeBack: () => Promise<() => Promise<void>>;
}

function Item({ title, covers, detail, remark, action, label, done, takeBack }: ItemProps) {
  const run = useAction(async () => {
    const undo = await takeBack();
    offerUndo({ subject: label, text: done, undo });
  });
  return (
    <li className="flex flex-wrap items-center gap-3 px-5 py-3">
      <div className="min-w-48 flex-1">
        <code className="font-mono text-sm font-medium">{displayText(title, 64)}</code>
        {covers !== undefined && (
          <p className="text-sm wrap-anywhere">
            <bdi>{covers}</bdi>
          </p>
        )}
        <p className="text-sm text-muted">{detail}</p>
        <p role="status" className="text-sm text-medium empty:hidden">
          {remark}
        </p>
        {run.error !== undefined && <Notice tone="error">{explain(run.error)}</Notice>}
      </div>
      <Button size="small" aria-label={label} busy={run.busy} onClick={() => run.run()}>
        {action}
      </Button>
    </li>
  );
}
