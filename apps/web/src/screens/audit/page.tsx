import { type AuditRecord, explainAuditProblem, explainReason, type RelationView } from '@parley/client';
import { displayText, PRESET_SCOPES } from '@parley/documents';
import { useQuery } from '@tanstack/react-query';
import { Download, ScrollText, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { currentLocale } from '../../i18n/index.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Empty, PageHead } from '../../parts/card.tsx';
import { classNames } from '../../parts/class-names.ts';
import { Notice } from '../../parts/notice.tsx';
import { saveText } from '../../parts/save-text.ts';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';

const STATUSES = ['ok', 'denied', 'error'] as const;
const BOX = 'min-h-10 rounded-lg border bg-surface px-3 text-sm';
const MAX_ROWS = 500;

export function AuditPage() {
  const { t } = useTranslation('audit');
  const { audit, relations } = useDevice();
  const byAgent = new Map(useReadable(relations).map((relation) => [relation.agentId, relation]));
  const [agentId, setAgent] = useState('');
  const [status, setStatus] = useState('');
  const filter = {
    ...(agentId === '' ? {} : { agentId }),
    ...(status === '' ? {} : { status: status as (typeof STATUSES)[number] }),
    limit: MAX_ROWS,
  };
  const query = useQuery({ queryKey: ['audit', filter], queryFn: () => audit.list(filter), refetchInterval: 5_000 });
  const [verdict, setVerdict] = useState<Awaited<ReturnType<typeof audit.verify>>>();
  const verify = useAction(async () => setVerdict(await audit.verify()));
  const save = useAction(async () => saveText('parley-audit.jsonl', await audit.export(), 'application/jsonl'));
  const records = query.data ?? [];
  return (
    <Page>
      <PageHead
        title={t('title')}
        lead={t('lead')}
        actions={
          <>
            <Button
              icon={<ShieldCheck aria-hidden className="size-4" />}
              busy={verify.busy}
              onClick={() => verify.run()}
            >
              {t('verify')}
            </Button>
            <Button icon={<Download aria-hidden className="size-4" />} busy={save.busy} onClick={() => save.run()}>
              {t('export')}
            </Button>
          </>
        }
      />
      <div className="grid gap-4">
        {verdict?.ok === true && <Notice tone="success">{t('verified', { count: verdict.entries })}</Notice>}
        {verdict?.ok === false && <Notice tone="error">{explainAuditProblem(verdict, currentLocale())}</Notice>}
        {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">{t('filter')}</legend>
          <select
            className={BOX}
            aria-label={t('agent')}
            value={agentId}
            onChange={({ target }) => setAgent(target.value)}
          >
            <option value="">{t('allAgents')}</option>
            {[...byAgent].map(([id, { agentName }]) => (
              <option key={id} value={id}>
                {agentName}
              </option>
            ))}
          </select>
          <select
            className={BOX}
            aria-label={t('status')}
            value={status}
            onChange={({ target }) => setStatus(target.value)}
          >
            <option value="">{t('allResults')}</option>
            {STATUSES.map((name) => (
              <option key={name} value={name}>
                {t(name)}
              </option>
            ))}
          </select>
        </fieldset>
        {query.isSuccess && records.length === 0 ? (
          <Empty icon={<ScrollText aria-hidden className="size-10" />} title={t('none')}>
            {t('noneLead')}
          </Empty>
        ) : (
          <Card flush>
            <ol className="divide-y">
              {records.map((record) => (
                <li key={record.seq}>
                  <Row
                    record={record}
                    agent={byAgent.get(record.agent_id)?.agentName ?? t('gone')}
                    label={labelOf(record, byAgent.get(record.agent_id))}
                  />
                </li>
              ))}
            </ol>
          </Card>
        )}
      </div>
    </Page>
  );
}

const LOOKS = { ok: 'bg-low-soft text-low', denied: 'bg-raised text-muted', error: 'bg-high-soft text-high' } as const;

/** An agent may call a permission something else by now: its words count only if they are those of that time. */
function labelOf({ scope, manifest_hash }: AuditRecord, relation: RelationView | undefined): string | undefined {
  if (scope === null) return undefined;
  const builtIn = PRESET_SCOPES.get(scope);
  if (builtIn !== undefined) return builtIn.label[currentLocale()];
  if (relation === undefined || relation.manifestHash !== manifest_hash) return undefined;
  return relation.scopes.find(({ id }) => id === displayText(scope))?.label;
}

interface RowProps {
  readonly record: AuditRecord;
  readonly agent: string;
  readonly label: string | undefined;
}

function Row({ record, agent, label }: RowProps) {
  const { t } = useTranslation('audit');
  const { status, reason = '', tool_name, scope, timestamp, approval, arguments_digest } = record;
  const why = explainReason(reason, currentLocale());
  return (
    <details className="group">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 hover:bg-raised">
        <span className={`rounded-full px-2.5 py-0.5 text-xs font-semibold ${LOOKS[status]}`}>{t(status)}</span>
        {label !== undefined && <bdi className="text-sm font-medium">{label}</bdi>}
        <code className={classNames('font-mono', label === undefined ? 'text-sm font-medium' : 'text-xs text-muted')}>
          {displayText(tool_name, 64)}
        </code>
        <bdi className="text-sm text-muted">{agent}</bdi>
        <time dateTime={timestamp} className="text-sm text-muted max-sm:w-full sm:ml-auto">
          {longTime(timestamp)}
        </time>
      </summary>
      <dl className="grid gap-x-6 gap-y-1 px-5 pb-4 text-sm sm:grid-cols-[10rem_1fr]">
        <dt className="text-muted">{t('scope')}</dt>
        <dd>
          <bdi>{label}</bdi> {scope === null ? '—' : <code className="font-mono text-xs">{displayText(scope)}</code>}
        </dd>
        {why !== '' && (
          <>
            <dt className="text-muted">{t('status')}</dt>
            <dd>{why}</dd>
          </>
        )}
        {approval !== undefined && (
          <>
            <dt className="text-muted">{t('how')}</dt>
            <dd>{t(`approval.${approval}`)}</dd>
          </>
        )}
        <dt className="text-muted">{t('digest')}</dt>
        <dd className="font-mono text-xs break-all">{arguments_digest}</dd>
      </dl>
    </details>
  );
}
