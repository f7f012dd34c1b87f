import { displayText } from '@parley/documents';
import { type ReplyOf, skillRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale } from '../../i18n/index.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { Spinner } from '../../parts/spinner.tsx';

type Version = ReplyOf<typeof skillRoutes.readSkill>['versions'][number];

interface VersionsProps {
  readonly skillId: string;
  /** Versions with the highest first. */
  readonly versions: readonly Version[];
  readonly owned: boolean;
}

export function Versions({ skillId, versions, owned }: VersionsProps) {
  const { t } = useTranslation('skills');
  const [asking, ask] = useState<Version>();
  return (
    <div className="grid grid-cols-1 gap-8">
      <section className="grid gap-3">
        <p className="text-sm text-muted">{t('versionsLead')}</p>
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {versions.map((one) => (
            <li key={one.version} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
              <span className="font-medium">{one.version}</span>
              <Tag>{t(`access.${one.access}`)}</Tag>
              {one.yanked && <Tag>{t('yanked')}</Tag>}
              <time dateTime={one.created_at} className="text-sm text-muted">
                {t('published', { time: longTime(one.created_at) })}
              </time>
              <code className="hidden min-w-0 flex-1 truncate font-mono text-xs text-muted sm:block" title={one.digest}>
                {one.digest}
              </code>
              {owned && (
                <Button
                  size="small"
                  className="ml-auto"
                  variant={one.yanked ? 'plain' : 'danger'}
                  onClick={() => ask(one)}
                >
                  {t(one.yanked ? 'unyank' : 'yank')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </section>
      {versions.length > 1 && <Compare skillId={skillId} versions={versions} />}
      {asking !== undefined && <Yank skillId={skillId} version={asking} onClose={() => ask(undefined)} />}
    </div>
  );
}

interface YankProps {
  readonly skillId: string;
  readonly version: Version;
  readonly onClose: () => void;
}

function Yank({ skillId, version: { version, yanked }, onClose }: YankProps) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const queries = useQueryClient();
  const name = yanked ? 'unyank' : 'yank';
  const work = async () => {
    await api(skillRoutes.yankSkillVersion, { params: { skill_id: skillId, version }, body: { yanked: !yanked } });
    await queries.invalidateQueries({ queryKey: ['skill', skillId] });
    await queries.invalidateQueries({ queryKey: ['skills'] });
  };
  return (
    <ConfirmAction
      title={t(`${name}Title`, { version })}
      lead={t(`${name}Lead`)}
      confirm={t(name)}
      danger={!yanked}
      onClose={onClose}
      work={work}
    />
  );
}

function Compare({ skillId, versions }: { readonly skillId: string; readonly versions: readonly Version[] }) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const [from, setFrom] = useState(versions[1]!.version);
  const [to, setTo] = useState(versions[0]!.version);
  const query = useQuery({
    queryKey: ['skill-diff', skillId, from, to, currentLocale()],
    queryFn: () => api(skillRoutes.diffSkillVersions, { params: { skill_id: skillId }, query: { from, to } }),
  });
  const options = versions.map(({ version }) => ({ value: version, label: version }));
  return (
    <Card className="grid grid-cols-1 gap-4">
      <h2 className="text-lg font-semibold">{t('diff')}</h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select label={t('diffFrom')} value={from} options={options} onChange={setFrom} />
        <Select label={t('diffTo')} value={to} options={options} onChange={setTo} />
      </div>
      {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
      {query.data === undefined && !query.error && <Spinner />}
      {query.data?.changes.length === 0 && <p className="text-sm text-muted">{t('diffNone')}</p>}
      {query.data !== undefined && query.data.changes.length > 0 && (
        <>
          <Notice tone={query.data.breaking ? 'error' : 'success'}>
            {t(query.data.breaking ? 'diffBreaking' : 'diffSilent')}
          </Notice>
          <ul className="grid gap-2 text-sm">
            {query.data.changes.map((change) => (
              <li key={`${change.code} ${change.path} ${change.side}`} className="flex flex-wrap items-baseline gap-2">
                {change.breaking && (
                  <span className="rounded-full bg-high-soft px-2 py-0.5 text-xs font-semibold text-high">
                    {t('breaking')}
                  </span>
                )}
                <span className="min-w-0 break-words">{displayText(change.message, 600)}</span>
                <code className="font-mono text-xs break-all text-muted">{displayText(change.path, 200)}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
