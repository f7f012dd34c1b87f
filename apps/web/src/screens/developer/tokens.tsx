import { agentRoutes } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { showSecret } from '../../client/new-secrets.ts';
import { useApi } from '../../client/use-api.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { usePages } from '../../parts/use-pages.ts';
import type { OwnAgent } from './own-agent.ts';

const OVERLAPS = { none: 0, hour: 3_600, day: 86_400 } as const;
type Overlap = keyof typeof OVERLAPS;

export function Tokens({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const queries = useQueryClient();
  const params = { agent_id: agent.agent_id };
  const key = ['tokens', agent.agent_id];
  const query = usePages(key, (page) => api(agentRoutes.listTokens, { params, query: page }));
  const [asking, ask] = useState<'rotate' | { revoke: string }>();
  const [overlap, setOverlap] = useState<Overlap>('hour');
  const close = () => ask(undefined);
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  const rotate = async () => {
    const reply = await api(agentRoutes.rotateToken, { params, body: { overlap_seconds: OVERLAPS[overlap] } });
    showSecret({ kind: 'agent_token', agentId: agent.agent_id, agentName: agent.name, secret: reply.token });
    await refresh();
  };
  const revoke = async (token_id: string) => {
    await api(agentRoutes.revokeToken, { params: { ...params, token_id } });
    await refresh();
  };
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const tokens = query.data.pages.flatMap((page) => page.tokens);
  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg font-semibold">{t('tokens')}</h2>
          <p className="text-sm text-muted">{t('tokensLead')}</p>
        </div>
        <Button variant="primary" icon={<KeyRound aria-hidden className="size-4" />} onClick={() => ask('rotate')}>
          {t('rotate')}
        </Button>
      </div>
      {tokens.length === 0 ? (
        <Notice tone="warning">{t('tokensNone')}</Notice>
      ) : (
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {tokens.map((one) => (
            <li key={one.token_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="text-sm">
                  {t('tokenCreated', { time: longTime(one.created_at) })}
                  {' · '}
                  {one.expires_at === null ? t('tokenStays') : t('tokenExpires', { time: longTime(one.expires_at) })}
                </p>
                <code className="font-mono text-xs break-all text-muted">{one.token_id}</code>
              </div>
              <Button size="small" variant="danger" onClick={() => ask({ revoke: one.token_id })}>
                {t('revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ShowMore query={query} />
      {asking === 'rotate' && (
        <ConfirmAction
          title={t('rotateTitle')}
          lead={t('rotateLead')}
          confirm={t('rotate')}
          onClose={close}
          work={rotate}
        >
          <Select
            label={t('overlap')}
            value={overlap}
            onChange={(value) => setOverlap(value as Overlap)}
            options={(Object.keys(OVERLAPS) as Overlap[]).map((value) => ({ value, label: t(`overlaps.${value}`) }))}
          />
        </ConfirmAction>
      )}
      {typeof asking === 'object' && (
        <ConfirmAction
          title={t('revokeTitle')}
          lead={t('revokeLead')}
          confirm={t('revoke')}
          danger
          onClose={close}
          work={() => revoke(asking.revoke)}
        />
      )}
    </section>
  );
}
