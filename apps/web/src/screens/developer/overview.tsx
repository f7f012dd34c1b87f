import { displayText } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Identity } from '../agents/identity.tsx';
import { Connect } from './connect.tsx';
import { Danger } from './danger.tsx';
import { AgentFields, readFields, trimFields, writeFields } from './fields.tsx';
import type { OwnAgent } from './own-agent.ts';

export function Overview({ agent }: { readonly agent: OwnAgent }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
      <div className="grid gap-6">
        <Warnings agent={agent} />
        <Details agent={agent} />
        <Connect agentId={agent.agent_id} />
      </div>
      <div className="grid gap-6">
        <Share agentId={agent.agent_id} />
        <Danger agent={agent} />
      </div>
    </div>
  );
}

function Warnings({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation('developer');
  const { warnings = [], unreachable_since: since } = agent;
  return (
    <>
      {since && <Notice tone="error">{t('unreachable', { time: longTime(since) })}</Notice>}
      {warnings.length > 0 && (
        <Notice tone="warning" title={t('warnings')}>
          <p>{t('warningsLead')}</p>
          <ul className="mt-1 list-disc pl-5">
            {warnings.map(({ code, path, message }) => (
              <li key={`${code} ${path}`}>{displayText(message, 600)}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Details({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation(['developer', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const [saved, setSaved] = useState(false);
  const draft = useDocumentDraft(`agent/${agent.agent_id}`, writeFields(agent));
  const fields = readFields(draft.text);
  const save = useAction(async () => {
    setSaved(false);
    const sent = draft.text;
    await api(agentRoutes.updateAgent, { params: { agent_id: agent.agent_id }, body: trimFields(fields) });
    draft.settle(sent);
    await queries.invalidateQueries({ queryKey: ['own-agent', agent.agent_id] });
    await queries.invalidateQueries({ queryKey: ['own-agents'] });
    setSaved(true);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  const change = (next: typeof fields) => {
    setSaved(false);
    draft.change(writeFields(next));
  };
  return (
    <Card>
      <form onSubmit={submit} className="grid gap-4">
        <h2 className="text-lg font-semibold">{t('details')}</h2>
        <Unsaved draft={draft} />
        <AgentFields fields={fields} onChange={change} />
        <div className="grid gap-1 text-sm">
          <p className="font-medium">{t('agentId')}</p>
          <p className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs break-all text-muted">{agent.agent_id}</code>
            <CopyButton text={agent.agent_id} />
          </p>
        </div>
        {save.error !== undefined && <Notice tone="error">{explain(save.error)}</Notice>}
        {saved && draft.unsaved === undefined && <Notice tone="success">{t('saved')}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={save.busy}>
            {t('parts:save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Shows the link and the QR code that prove the key (EE-9). */
function Share({ agentId }: { readonly agentId: string }) {
  const { t } = useTranslation('developer');
  const { agents } = useDevice();
  const query = useQuery({
    queryKey: ['agent', agentId, undefined],
    queryFn: () => agents.inspect({ agentId }),
    refetchOnWindowFocus: false,
  });
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  return (
    <div className="grid gap-3">
      <Identity details={query.data} byLink={false} />
      <Link to="/agents/$agentId" params={{ agentId }} className="text-sm text-accent underline">
        {t('asPeople')}
      </Link>
    </div>
  );
}
