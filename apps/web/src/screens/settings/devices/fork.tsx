import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useFork } from '../../../client/use-fork.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useAction } from '../../../parts/use-action.ts';

/** Two successors of one number stop everything until the recovery key signs which one holds (EE-17). */
export function Fork() {
  const { t } = useTranslation('settings');
  const fork = useFork();
  const settle = useAction(fork.settle);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    settle.run(String(new FormData(event.currentTarget).get('secret')).trim());
  };
  if (!fork.isForked) return null;
  return (
    <Card className="grid gap-4 border-high/50">
      <h2 className="font-semibold">{t('fork.title')}</h2>
      <p>{t('fork.what')}</p>
      <p>{t('fork.why')}</p>
      <p>{t('fork.do')}</p>
      <form onSubmit={submit} className="grid max-w-xl gap-3">
        <TextField
          label={t('fork.secret')}
          hint={t('fork.secretHint')}
          name="secret"
          required
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
        {settle.error !== undefined && <Notice tone="error">{explain(settle.error)}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={settle.busy}>
            {t('fork.settle')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
