import { displayText } from '@parley/documents';
import { skillRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { useDraft } from '../../client/use-draft.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Manages who may see and use the skill besides the owner (SD-8). */
export function People({ skillId }: { readonly skillId: string }) {
  const { t } = useTranslation('skills');
  const api = useApi();
  const queries = useQueryClient();
  const key = ['entitled', skillId];
  const query = useQuery({
    queryKey: key,
    queryFn: () => api(skillRoutes.listEntitled, { params: { skill_id: skillId } }),
  });
  const [typed, setTyped, settle] = useDraft(`form/entitle/${skillId}`);
  const [asking, ask] = useState<{ id: string; name: string }>();
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  const allow = useAction(async () => {
    await api(skillRoutes.entitle, { params: { skill_id: skillId, account_id: typed.trim() } });
    settle(typed);
    await refresh();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    allow.run();
  };
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const { entitlements } = query.data;
  return (
    <div className="grid gap-6">
      <p className="text-sm text-muted">{t(entitlements.length === 0 ? 'peopleNone' : 'peopleLead')}</p>
      {entitlements.length > 0 && (
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {entitlements.map((one) => {
            const name = displayText(one.display_name, 80);
            return (
              <li key={one.account_id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
                <span className="min-w-0 flex-1">
                  {name !== '' && <bdi className="font-medium">{name} </bdi>}
                  <span className="text-sm text-muted">{t('since', { time: longTime(one.created_at) })}</span>
                  <code className="block font-mono text-xs break-all text-muted">{one.account_id}</code>
                </span>
                <Button
                  size="small"
                  variant="danger"
                  onClick={() => ask({ id: one.account_id, name: name || one.account_id })}
                >
                  {t('revoke')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <div className="min-w-64 flex-1">
          <TextField
            label={t('peopleAdd')}
            hint={t('peopleHint')}
            error={allow.error === undefined ? undefined : explain(allow.error)}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            required
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
          />
        </div>
        <Button type="submit" variant="primary" busy={allow.busy} className="mt-7">
          {t('allow')}
        </Button>
      </form>
      {asking !== undefined && (
        <ConfirmAction
          title={t('revokeTitle', { name: asking.name })}
          lead={t('revokeLead')}
          confirm={t('revoke')}
          danger
          onClose={() => ask(undefined)}
          work={async () => {
            await api(skillRoutes.disentitle, { params: { skill_id: skillId, account_id: asking.id } });
            await refresh();
          }}
        />
      )}
    </div>
  );
}
