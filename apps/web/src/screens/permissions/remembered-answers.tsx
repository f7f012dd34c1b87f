import { displayText } from '@parley/documents';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { duration, longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';

const MINUTE_MS = 60_000;

/** Lists the answers that this device remembers: silent windows, "always deny", "stop asking for an hour". */
export function RememberedAnswers() {
  const { t } = useTranslation('permissions');
  const { remembered } = useDevice();
  const { windows, denials, questionStops } = useReadable(remembered);
  const now = useNow();
  const stops = questionStops.filter(({ until }) => until > now);
  return (
    <>
      <Section title={t('windows')} lead={t('windowsLead')} none={t('noWindows')}>
        {windows
          .filter(({ endsAt }) => endsAt > now)
          .map((window) => (
            <Item
              key={window.id}
              title={window.tool}
              covers={window.reach === 'edge' ? window.edge : t(`covers.${window.reach}`)}
              detail={`${window.agentName} · ${t('left', { time: duration(window.endsAt - now) })}`}
              action={t('ask')}
              label={t('askLabel', {
                tool: window.tool,
                agent: window.agentName,
                covers: window.reach === 'edge' ? window.edge : t(`covers.${window.reach}`),
              })}
              onClick={() => void remembered.closeWindow(window)}
            />
          ))}
      </Section>
      <Section title={t('denials')} lead={t('denialsLead')} none={t('noDenials')}>
        {denials.map((denial) => (
          <Item
            key={`${denial.agentId} ${denial.toolName}`}
            title={denial.toolName}
            detail={`${denial.agentName} · ${t('since', { time: longTime(denial.createdAt) })}`}
            action={t('allowAgain')}
            label={t('allowAgainLabel', { tool: denial.toolName, agent: denial.agentName })}
            onClick={() => void remembered.removeDenial(denial)}
          />
        ))}
      </Section>
      {stops.length > 0 && (
        <Section title={t('stops')} lead={t('stopsLead')} none="">
          {stops.map((stop) => (
            <Item
              key={stop.agentId}
              title={stop.agentName}
              detail={t('left', { time: duration(stop.until - now) })}
              action={t('allowAgain')}
              label={t('stopLabel', { agent: stop.agentName })}
              onClick={() => void remembered.askAgain(stop)}
            />
          ))}
        </Section>
      )}
    </>
  );
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface SectionProps {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
  readonly children: readonly ReactNode[];
}

function Section({ title, lead, none, children }: SectionProps) {
  return (
    <Card flush>
      <div className="border-b px-5 py-3">
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-muted">{lead}</p>
      </div>
      {children.length === 0 ? (
        <p className="px-5 py-4 text-sm text-muted">{none}</p>
      ) : (
        <ul className="divide-y">{children}</ul>
      )}
    </Card>
  );
}

interface ItemProps {
  readonly title: string;
  /** How far a window reaches. */
  readonly covers?: string | undefined;
  readonly detail: string;
  readonly action: string;
  readonly label: string;
  readonly onClick: () => void;
}

function Item({ title, covers, detail, action, label, onClick }: ItemProps) {
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
      </div>
      <Button size="small" aria-label={label} onClick={onClick}>
        {action}
      </Button>
    </li>
  );
}
