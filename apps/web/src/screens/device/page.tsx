import { displayText } from '@parley/documents';
import { deviceFlowRoutes } from '@parley/protocol';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';

/** A person approves the sign-in of a program without a browser (RFC 8628). */
export function DevicePage() {
  const { t } = useTranslation('deviceFlow');
  const { api } = useDevice();
  const { user_code: given = '' } = useSearch({ strict: false }) as { user_code?: string };
  const [asked, setAsked] = useState<{ code: string; name: string }>();
  const [answer, setAnswer] = useState<boolean>();
  const look = useAction(async (code: string) => {
    const { client_name } = await api.call(deviceFlowRoutes.deviceInspect, { body: { user_code: code } });
    setAsked({ code, name: displayText(client_name) });
  });
  const decide = useAction(async (approve: boolean) => {
    await api.call(deviceFlowRoutes.deviceApprove, { body: { user_code: asked!.code, approve } });
    setAnswer(approve);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    look.run(String(new FormData(event.currentTarget).get('code')).trim());
  };
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} />
      <Card className="grid max-w-lg gap-4">
        {answer !== undefined && (
          <Notice tone={answer ? 'success' : 'info'}>{answer ? t('approved') : t('refused')}</Notice>
        )}
        {asked === undefined && (
          <form onSubmit={submit} className="grid gap-3">
            <TextField
              label={t('code')}
              name="code"
              defaultValue={given}
              required
              minLength={8}
              maxLength={20}
              autoComplete="off"
              className="font-mono tracking-widest uppercase"
            />
            {look.error !== undefined && <Notice tone="error">{explain(look.error)}</Notice>}
            <Button type="submit" variant="primary" busy={look.busy}>
              {t('look')}
            </Button>
          </form>
        )}
        {asked !== undefined && answer === undefined && (
          <>
            <p>{t('asks', { name: asked.name })}</p>
            {decide.error !== undefined && <Notice tone="error">{explain(decide.error)}</Notice>}
            <div className="flex gap-2">
              <Button variant="primary" busy={decide.busy} onClick={() => decide.run(true)}>
                {t('approve')}
              </Button>
              <Button busy={decide.busy} onClick={() => decide.run(false)}>
                {t('refuse')}
              </Button>
            </div>
          </>
        )}
      </Card>
    </Page>
  );
}
