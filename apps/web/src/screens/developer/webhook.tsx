import type { AgentWatch } from '@parley/client';
import { displayText } from '@parley/documents';
import { webhookRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { showSecret } from '../../client/new-secrets.ts';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Deliveries } from './deliveries.tsx';
import { useDeliveryNews } from './events/use-watch.ts';
import type { OwnAgent } from './own-agent.ts';
import { WebhookOutcome, WebhookState } from './webhook-outcome.tsx';

interface WebhookProps {
  readonly agent: OwnAgent;
  readonly watch: AgentWatch | undefined;
}

/** Configures the webhook and shows whether events arrive (TR-5, TR-6). */
export function Webhook({ agent, watch }: WebhookProps) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const { agent_id: agentId, has_webhook: isSet = false } = agent;
  const params = { agent_id: agentId };
  // Asked for only where there is one: the answer would be an error, which the browser's console shows (WC-66).
  const query = useQuery({
    queryKey: ['webhook', agentId],
    queryFn: () => api(webhookRoutes.getWebhook, { params }),
    enabled: isSet,
  });
  const { refetch } = query;
  const reload = useCallback(() => void refetch(), [refetch]);
  useDeliveryNews(watch, isSet ? reload : undefined);
  const refresh = async (reply?: { secret?: string }) => {
    const { secret } = reply ?? {};
    if (secret !== undefined) showSecret({ kind: 'webhook_secret', agentId, agentName: agent.name, secret });
    await queries.invalidateQueries({ queryKey: ['own-agent', agentId] });
    await queries.invalidateQueries({ queryKey: ['webhook', agentId] });
    await queries.invalidateQueries({ queryKey: ['deliveries', agentId] });
  };
  const hook = isSet ? query.data : undefined;
  const draft = useDocumentDraft(`form/webhook/${agentId}`, hook === undefined ? '' : displayText(hook.url, 2_048));
  const save = useAction(async () => {
    const sent = draft.text;
    const reply = await api(webhookRoutes.putWebhook, { params, body: { url: sent.trim() } });
    draft.settle(sent);
    await refresh(reply);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (isSet && query.data === undefined) return <Spinner />;
  return (
    <div className="grid grid-cols-1 gap-8">
      <Card className="grid gap-4">
        <div>
          <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
            {t('webhook')} {hook !== undefined && <WebhookState hook={hook} />}
          </h2>
          <p className="text-sm text-muted">{t(hook === undefined ? 'webhookNone' : 'webhookLead')}</p>
        </div>
        {hook !== undefined && <WebhookOutcome hook={hook} />}
        {hook?.previous_secret_until && (
          <Notice>{t('previousSecret', { time: longTime(hook.previous_secret_until) })}</Notice>
        )}
        <form onSubmit={submit} className="grid gap-4">
          <TextField
            label={t('url')}
            hint={t('urlHint')}
            error={save.error === undefined ? undefined : explain(save.error)}
            type="url"
            required
            maxLength={2_048}
            autoComplete="off"
            dir="ltr"
            value={draft.text}
            onChange={({ target }) => draft.change(target.value)}
          />
          <Unsaved draft={draft} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={save.busy}>
              {t('urlSave')}
            </Button>
            {hook !== undefined && <HookActions agentId={agentId} onDone={refresh} />}
          </div>
        </form>
      </Card>
      {hook !== undefined && <Deliveries agentId={agentId} watch={watch} />}
    </div>
  );
}

interface HookActionsProps {
  readonly agentId: string;
  readonly onDone: (reply?: { secret?: string }) => Promise<void>;
}

function HookActions({ agentId, onDone }: HookActionsProps) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const params = { agent_id: agentId };
  const [asking, ask] = useState<'rotate' | 'remove'>();
  const close = () => ask(undefined);
  const test = useAction(async () => {
    await api(webhookRoutes.testWebhook, { params });
    await onDone();
  });
  return (
    <>
      <Button busy={test.busy} onClick={() => test.run()}>
        {t('hookTest')}
      </Button>
      <Button onClick={() => ask('rotate')}>{t('hookRotate')}</Button>
      <Button variant="danger" onClick={() => ask('remove')}>
        {t('hookRemove')}
      </Button>
      {test.error !== undefined && (
        <div className="w-full">
          <Notice tone="error">{explain(test.error)}</Notice>
        </div>
      )}
      {asking === 'rotate' && (
        <ConfirmAction
          title={t('hookRotateTitle')}
          lead={t('hookRotateLead')}
          confirm={t('hookRotate')}
          onClose={close}
          work={async () => onDone(await api(webhookRoutes.rotateWebhook, { params, body: {} }))}
        />
      )}
      {asking === 'remove' && (
        <ConfirmAction
          title={t('hookRemoveTitle')}
          lead={t('hookRemoveLead')}
          confirm={t('hookRemove')}
          danger
          onClose={close}
          work={async () => {
            await api(webhookRoutes.deleteWebhook, { params });
            await onDone();
          }}
        />
      )}
    </>
  );
}
