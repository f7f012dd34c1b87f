import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ScrollArea } from '../../parts/scroll-area.tsx';
import { useAction } from '../../parts/use-action.ts';

const MIN_PASSPHRASE = 12;

/** Exports the account key under a passphrase (EE-10), which the person keeps elsewhere. */
export function Recovery() {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const able = useQuery({ queryKey: ['canApprove'], queryFn: () => devices.canApprove() });
  const [secret, setSecret] = useState<string>();
  const make = useAction(async (passphrase: string) => setSecret(await devices.createRecoverySecret(passphrase)));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.run(String(new FormData(event.currentTarget).get('passphrase')));
  };
  if (able.data !== true) return null;
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="font-semibold">{t('recovery.title')}</h2>
        <p className="text-sm text-muted">{t('recovery.lead')}</p>
      </div>
      {secret === undefined ? (
        <form onSubmit={submit} className="grid max-w-md gap-3">
          <TextField
            label={t('recovery.passphrase')}
            hint={t('recovery.passphraseHint')}
            name="passphrase"
            type="password"
            autoComplete="new-password"
            minLength={MIN_PASSPHRASE}
            required
          />
          {make.error !== undefined && <Notice tone="error">{explain(make.error)}</Notice>}
          {make.busy && (
            <p role="status" className="text-sm text-muted">
              {t('recovery.making')}
            </p>
          )}
          <div>
            <Button type="submit" busy={make.busy}>
              {t('recovery.make')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="grid gap-3">
          <Notice tone="warning">{t('recovery.made')}</Notice>
          <ScrollArea
            as="code"
            className="max-h-40 overflow-auto rounded-lg bg-raised p-3 font-mono text-xs break-all select-all"
          >
            {secret}
          </ScrollArea>
          <div>
            <CopyButton text={secret} />
          </div>
        </div>
      )}
    </Card>
  );
}
