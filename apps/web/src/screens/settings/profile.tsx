import { displayText } from '@parley/documents';
import { authRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { activeStore, rememberAccount } from '../../client/known-accounts.ts';
import { useDevice } from '../../client/provider.tsx';
import { useApi } from '../../client/use-api.ts';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Unsaved } from '../../parts/unsaved.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ChangeEmail } from './change-email.tsx';

const PROFILE_KEY = ['profile'];
const MAX_NAME = 100;

/** How others see the person, and where they are reached (AC-10). */
export function Profile() {
  const { t } = useTranslation('settings');
  const api = useApi();
  const { data, error } = useQuery({ queryKey: PROFILE_KEY, queryFn: () => api(authRoutes.me) });
  const [changing, setChanging] = useState(false);
  const queries = useQueryClient();
  const refresh = async () => {
    for (const queryKey of [PROFILE_KEY, ['notices']]) await queries.invalidateQueries({ queryKey });
  };
  return (
    <Card className="grid gap-5">
      <div>
        <h2 className="font-semibold">{t('profile.title')}</h2>
        <p className="text-sm text-muted">{t('profile.lead')}</p>
      </div>
      {error !== null && <Notice tone="error">{explain(error)}</Notice>}
      {data !== undefined && (
        <>
          <Name name={data.display_name} />
          <div className="flex flex-wrap items-center justify-between gap-3 border-t pt-4">
            <div className="min-w-0">
              <h3 className="text-sm font-medium">{t('profile.email')}</h3>
              <p className="break-words">
                <bdi>{displayText(data.email)}</bdi>
              </p>
              <p className="text-sm text-muted">{t('profile.emailLead')}</p>
            </div>
            <Button onClick={() => setChanging(true)}>{t('profile.changeEmail')}</Button>
          </div>
          {changing && <ChangeEmail onClose={() => setChanging(false)} onChanged={refresh} />}
        </>
      )}
    </Card>
  );
}

function Name({ name }: { readonly name: string }) {
  const { t } = useTranslation('settings');
  const api = useApi();
  const queries = useQueryClient();
  const { accountId } = useDevice();
  const draft = useDocumentDraft('form/name', name);
  const trimmed = draft.text.trim();
  const shown = displayText(trimmed);
  const save = useAction(async () => {
    const sent = draft.text;
    const { display_name } = await api(authRoutes.changeProfile, { body: { display_name: trimmed } });
    draft.settle(sent);
    rememberAccount({ accountId, name: display_name, store: activeStore() });
    await queries.invalidateQueries({ queryKey: PROFILE_KEY });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <TextField
        label={t('profile.name')}
        hint={t('profile.nameHint')}
        value={draft.text}
        onChange={({ target }) => draft.change(target.value)}
        autoComplete="name"
        maxLength={MAX_NAME}
        required
      />
      {/* Hidden characters could make it look like somebody else’s. */}
      {shown !== trimmed && <Notice tone="warning">{t('profile.shownAs', { name: shown })}</Notice>}
      <Unsaved draft={draft} />
      {save.error !== undefined && <Notice tone="error">{explain(save.error)}</Notice>}
      <div>
        <Button type="submit" busy={save.busy} disabled={trimmed === '' || trimmed === name}>
          {t('profile.save')}
        </Button>
      </div>
    </form>
  );
}
