import type { AgentWatch } from '@parley/client';
import { displayText } from '@parley/documents';
import { webhookRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { TextField } from '../../parts/field.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Deliveries } from './deliveries.tsx';

/** Configures the webhook and shows whether events arrive (TR-5, TR-6). */
export function Webhook({ agentId, watch }: { readonly agentId: string; readonly watch: AgentWatch | undefined }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const params = { agent_id: agentId };
  const query = useQuery({
    queryKey: ['webhook', agentId],
    queryFn: () =>
      api(webhookRoutes.getWebhook, { params }).catch((error: { status?: unknown }) => {
        if (error.status === 404) return null;
        throw error;
      }),
  });
  const [secret, setSecret] = useState<string>();
  const refresh = async (reply?: { secret?: string }) => {
    if (reply?.secret !== undefined) setSecret(reply.secret);
    await queries.invalidateQueries({ queryKey: ['webhook', agentId] });
    await queries.invalidateQueries({ queryKey: ['deliveries', agentId] });
  };
  const save = useAction(async (url: string) =>
    refresh(await api(webhookRoutes.putWebhook, { params, body: { url } })),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.run(String(new FormData(event.currentTarget).get('url')).trim());
  };
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const hook = query.data;
  return (
    <div className="grid grid-cols-1 gap-8">
      <Card className="grid gap-4">
        <div>
          <h2 className="flex flex-wrap items-center gap-3 text-lg font-semibold">
            {t('webhook')} {hook !== null && <Tag>{t(`hookStatus.${hook.status}`)}</Tag>}
          </h2>
          <p className="text-sm text-muted">{t(hook === null ? 'webhookNone' : 'webhookLead')}</p>
        </div>
        {hook?.unreachable_since && (
          <Notice tone="error">{t('unreachable', { time: longTime(hook.unreachable_since) })}</Notice>
        )}
        {hook?.previous_secret_until && (
          <Notice>{t('previousSecret', { time: longTime(hook.previous_secret_until) })}</Notice>
        )}
        <form onSubmit={submit} className="grid gap-4">
          <TextField
            key={hook?.url}
            label={t('url')}
            hint={t('urlHint')}
            error={save.error === undefined ? undefined : explain(save.error)}
            name="url"
            type="url"
            required
            maxLength={2_048}
            autoComplete="off"
            dir="ltr"
            defaultValue={hook === null ? '' : displayText(hook.url, 2_048)}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={save.busy}>
              {t('urlSave')}
            </Button>
            {hook !== null && <HookActions agentId={agentId} onDone={refresh} />}
          </div>
        </form>
      </Card>
      {hook !== null && <Deliveries agentId={agentId} watch={watch} />}
      {secret !== undefined && (
        <OneTimeSecret
          title={t('secretTitle')}
          label={t('secretLabel')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
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
  const [tested, setTested] = useState(false);
  const close = () => ask(undefined);
  const test = useAction(async () => {
    setTested(false);
    await api(webhookRoutes.testWebhook, { params });
    setTested(true);
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
      {tested && (
        <div className="w-full">
          <Notice tone="success">{t('hookTested')}</Notice>
        </div>
      )}
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
