import type { AgentWatch } from '@parley/client';
import { type ReplyOf, webhookRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useAction } from '../../parts/use-action.ts';
import { usePages } from '../../parts/use-pages.ts';
import { classifyAttempt } from './attempt.ts';
import { useDeliveryNews } from './events/use-watch.ts';
import { joinFacts } from './join-facts.ts';

type Delivery = ReplyOf<typeof webhookRoutes.listDeliveries>['deliveries'][number];

const STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Shows the log of deliveries, and updates it while live mode is on. */
export function Deliveries({ agentId, watch }: { readonly agentId: string; readonly watch: AgentWatch | undefined }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const [status, setStatus] = useState('');
  const [isLive, setLive] = useState(true);
  const query = usePages(['deliveries', agentId, status], (page) =>
    api(webhookRoutes.listDeliveries, {
      params: { agent_id: agentId },
      query: {
        ...(status === '' ? {} : { status: status as Delivery['status'] }),
        ...page,
      },
    }),
  );
  const { refetch } = query;
  // If more than one page is loaded, every event would load all of them again.
  const follows = isLive && (query.data?.pages.length ?? 0) < 2;
  const reload = useCallback(() => void refetch(), [refetch]);
  useDeliveryNews(watch, follows ? reload : undefined);
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <section className="grid gap-4" aria-labelledby="deliveries">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="deliveries" className="text-lg font-semibold">
            {t('deliveries')}
          </h2>
          <p className="text-sm text-muted">{isLive ? t('liveHint') : t('deliveriesLead')}</p>
        </div>
        <div className="flex items-center gap-4">
          <span className="flex items-center gap-2 text-sm">
            <Switch checked={isLive} onChange={setLive} label={t('live')} />
            <span aria-hidden>{t('live')}</span>
          </span>
          <Select
            label={t('show')}
            labelHidden
            value={status}
            onChange={setStatus}
            options={[
              { value: '', label: t('all') },
              ...STATUSES.map((value) => ({ value, label: t(`delivery.${value}`) })),
            ]}
          />
        </div>
      </div>
      {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
      {query.isSuccess && deliveries.length === 0 && <Notice>{t('deliveriesNone')}</Notice>}
      {deliveries.length > 0 && (
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {deliveries.map((delivery) => (
            <li key={delivery.delivery_id}>
              <Line agentId={agentId} delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
      <ShowMore query={query} />
    </section>
  );
}

const STYLES = {
  pending: { Icon: Clock, style: 'text-medium' },
  delivered: { Icon: CircleCheck, style: 'text-low' },
  failed: { Icon: CircleAlert, style: 'text-high' },
} as const;

function Line({ agentId, delivery }: { readonly agentId: string; readonly delivery: Delivery }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const { delivery_id, status, attempts, last_status, last_error, next_attempt_at } = delivery;
  const again = useAction(async () => {
    await api(webhookRoutes.redeliver, { params: { agent_id: agentId, delivery_id } });
    await queries.invalidateQueries({ queryKey: ['deliveries', agentId] });
  });
  const { Icon, style } = STYLES[status];
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${style}`} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-mono font-medium break-all">{delivery.event_type}</code>
          <span className={style}>{t(`delivery.${status}`)}</span>
          <time dateTime={delivery.created_at} className="text-muted">
            {longTime(delivery.created_at)}
          </time>
        </p>
        <p className="break-words text-muted">
          {joinFacts([
            t('attempts', { count: attempts }),
            last_status !== null && last_error === null && t('answered', { status: last_status }),
            last_error !== null &&
              t(`attempt.${classifyAttempt({ status: last_status, error: last_error })}.what`, { status: last_status }),
            next_attempt_at !== null && status === 'pending' && t('nextAttempt', { time: longTime(next_attempt_at) }),
          ])}
        </p>
        {again.error !== undefined && <Notice tone="error">{explain(again.error)}</Notice>}
      </div>
      <Button size="small" busy={again.busy} onClick={() => again.run()}>
        {t('redeliver')}
      </Button>
    </div>
  );
}
