import { skillRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { useDraft } from '../../client/use-draft.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';

export function useNamespaces() {
  const api = useApi();
  return useQuery({ queryKey: ['skill-namespaces'], queryFn: () => api(skillRoutes.listNamespaces) });
}

export function Namespaces() {
  const { t } = useTranslation('skills');
  const api = useApi();
  const queries = useQueryClient();
  const query = useNamespaces();
  const [name, setName, settle] = useDraft('form/namespace');
  const claim = useAction(async () => {
    await api(skillRoutes.claimNamespace, { body: { namespace: name.trim() } });
    settle(name);
    await queries.invalidateQueries({ queryKey: ['skill-namespaces'] });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    claim.run();
  };
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const { namespaces } = query.data;
  return (
    <div className="grid gap-6">
      <p className="text-sm text-muted">{t('nsLead')}</p>
      {namespaces.length === 0 ? (
        <Notice>{t('nsNone')}</Notice>
      ) : (
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {namespaces.map((one) => (
            <li key={one.namespace} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
              <code className="font-mono text-sm font-medium break-all">{one.namespace}</code>
              {one.host && <Tag>{t('nsHost')}</Tag>}
              <time dateTime={one.created_at} className="ml-auto text-sm text-muted">
                {t('nsClaimed', { time: longTime(one.created_at) })}
              </time>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <div className="min-w-64 flex-1">
          <TextField
            label={t('nsName')}
            hint={t('nsHint')}
            error={claim.error === undefined ? undefined : explain(claim.error)}
            value={name}
            onChange={({ target }) => setName(target.value)}
            required
            minLength={3}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            placeholder="com.example"
          />
        </div>
        <Button type="submit" variant="primary" busy={claim.busy} className="mt-7">
          {t('nsClaim')}
        </Button>
      </form>
    </div>
  );
}
