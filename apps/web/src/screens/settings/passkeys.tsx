import { displayText } from '@parley/documents';
import { passkeyRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeBrowser } from '../../client/describe-browser.ts';
import { explain } from '../../client/explain.ts';
import { hasPasskeys } from '../../client/has-passkeys.ts';
import { addPasskey } from '../../client/passkeys.ts';
import { useDevice } from '../../client/provider.tsx';
import { useDocumentDraft } from '../../client/use-document-draft.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Reauthenticate } from './reauthenticate.tsx';

export const PASSKEYS_KEY = ['passkeys'];

export function Passkeys() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const queries = useQueryClient();
  const list = useQuery({ queryKey: PASSKEYS_KEY, queryFn: () => api.call(passkeyRoutes.listPasskeys) });
  const refresh = () =>
    Promise.all([PASSKEYS_KEY, ['notices'], ['sessions']].map((queryKey) => queries.invalidateQueries({ queryKey })));
  /** What is done again once the person has proved who they are. */
  const [waiting, setWaiting] = useState<{ readonly again: () => void }>();
  const waitIfStale = (again: () => void) => (error: unknown) => {
    if ((error as { code?: unknown }).code !== 'REAUTHENTICATION_REQUIRED') throw error;
    setWaiting({ again });
  };
  const draft = useDocumentDraft('form/passkey', describeBrowser(navigator.userAgent));
  const add = useAction(async (name: string) => {
    const isAdded = await addPasskey(api, name).catch(waitIfStale(() => add.run(name)));
    if (!isAdded) return;
    draft.settle(name);
    await refresh();
  });
  const remove = useAction(async (id: string) => {
    const params = { passkey_id: id };
    await api.call(passkeyRoutes.deletePasskey, { params }).catch(waitIfStale(() => remove.run(id)));
    await refresh();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.run(draft.text);
  };
  const passkeys = list.data?.passkeys ?? [];
  const error = add.error ?? remove.error ?? list.error ?? undefined;
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="font-semibold">{t('passkeys.title')}</h2>
        <p className="text-sm text-muted">{t('passkeys.lead')}</p>
      </div>
      {list.isSuccess && passkeys.length === 0 && <p className="text-sm text-muted">{t('passkeys.none')}</p>}
      <ul className="divide-y">
        {passkeys.map(({ passkey_id, name, created_at, used_at, current }) => (
          <li key={passkey_id} className="flex items-center gap-3 py-2">
            <KeyRound aria-hidden className="size-4 text-muted" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium">{displayText(name)}</bdi>
                {current && <Tag>{t('passkeys.current')}</Tag>}
              </p>
              <p className="text-sm text-muted">{t('passkeys.added', { time: longTime(created_at) })}</p>
              <p className="text-sm text-muted">
                {used_at === null ? t('passkeys.never') : t('passkeys.used', { time: longTime(used_at) })}
              </p>
            </div>
            <Button size="small" variant="danger" busy={remove.busy} onClick={() => remove.run(passkey_id)}>
              {t('passkeys.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
      {waiting !== undefined && (
        <Reauthenticate
          api={api}
          hasPasskey={passkeys.length > 0}
          onClose={() => setWaiting(undefined)}
          onProved={() => {
            setWaiting(undefined);
            waiting.again();
          }}
        />
      )}
      {hasPasskeys() ? (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <div className="min-w-48 flex-1">
            <TextField
              label={t('passkeys.name')}
              value={draft.text}
              onChange={({ target }) => draft.change(target.value)}
              required
              maxLength={100}
            />
          </div>
          <Button type="submit" busy={add.busy}>
            {t('passkeys.add')}
          </Button>
        </form>
      ) : (
        <p className="text-sm text-muted">{t('passkeys.unsupported')}</p>
      )}
    </Card>
  );
}
