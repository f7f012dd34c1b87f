import type { Contact } from '@parley/client';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { readContactLink } from './contact-link.ts';
import { nameOf } from './name.ts';
import { useContactCode } from './use-code.ts';

type Named = Parameters<ReturnType<typeof useDevice>['contacts']['ask']>[0];

/** Sends a request and keeps what came of it: sent, or a contact already. */
export function useAsk() {
  const { contacts } = useDevice();
  const [done, setDone] = useState<{ readonly contact?: Contact | undefined }>();
  const action = useAction(async (named: Named) => {
    setDone(undefined);
    setDone({ contact: await contacts.ask(named) });
  });
  return { ...action, done };
}

/** The same words whether anyone was there or not (AC-4). */
export function Asked({ asked }: { readonly asked: Pick<ReturnType<typeof useAsk>, 'done' | 'error'> }) {
  const { t } = useTranslation('contacts');
  const { done, error } = asked;
  if (error !== undefined) return <Notice tone="error">{explain(error)}</Notice>;
  if (done === undefined) return null;
  const { contact } = done;
  return (
    <div role="status">
      <Notice>{contact === undefined ? t('asked') : t('already', { name: nameOf(contact, t('unnamed')) })}</Notice>
    </div>
  );
}

export function AskByCode() {
  const { t } = useTranslation('contacts');
  const { code: own } = useContactCode();
  const [wrong, setWrong] = useState<'codeWrong' | 'ownCode'>();
  const asked = useAsk();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = readContactLink(String(new FormData(event.currentTarget).get('code')));
    setWrong(code === undefined ? 'codeWrong' : code === own ? 'ownCode' : undefined);
    if (code === undefined || code === own) return;
    event.currentTarget.reset();
    asked.run({ code });
  };
  return (
    <form onSubmit={submit} className="grid gap-3">
      <TextField
        label={t('code')}
        hint={t('codeHint')}
        error={wrong === undefined ? undefined : t(wrong)}
        name="code"
        required
        autoComplete="off"
        spellCheck={false}
      />
      <Asked asked={asked} />
      <div>
        <Button type="submit" variant="primary" busy={asked.busy}>
          {t('ask')}
        </Button>
      </div>
    </form>
  );
}
