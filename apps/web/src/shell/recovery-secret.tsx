import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../client/explain.ts';
import { useDevice } from '../client/provider.tsx';
import { Button } from '../parts/button.tsx';
import { Checkbox } from '../parts/checkbox.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { saveText } from '../parts/save-text.ts';
import { useAction } from '../parts/use-action.ts';

interface RecoverySecretProps {
  readonly secret: string;
  /** Called when the person has it in a safe place: it is forgotten here. */
  readonly onSaved: () => Promise<void>;
}

/** Shows the recovery secret until the person says that they have it elsewhere (EE-17). */
export function RecoverySecret({ secret, onSaved }: RecoverySecretProps) {
  const { t } = useTranslation('shell');
  const { accountId } = useDevice();
  const [isKept, setKept] = useState(false);
  const save = useAction(onSaved);
  const download = () =>
    saveText(
      'parley-recovery-secret.txt',
      t('recovery.file', { server: location.origin, account: accountId, secret }),
      'text/plain',
    );
  return (
    <div className="grid gap-4">
      <Notice tone="warning">{t('recovery.danger')}</Notice>
      <div className="grid gap-2">
        <p className="text-sm font-medium">{t('recovery.label')}</p>
        <code
          data-testid="recovery-secret"
          translate="no"
          className="rounded-lg border bg-raised px-3 py-2.5 text-center font-mono text-lg tracking-wide text-balance select-all"
        >
          {secret}
        </code>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={secret} />
          <Button size="small" icon={<Download aria-hidden className="size-4" />} onClick={download}>
            {t('recovery.save')}
          </Button>
        </div>
      </div>
      <Checkbox label={t('recovery.kept')} hint={t('recovery.keptHint')} checked={isKept} onChange={setKept} />
      {save.error !== undefined && <Notice tone="error">{explain(save.error)}</Notice>}
      <div>
        <Button variant="primary" disabled={!isKept} busy={save.busy} onClick={() => save.run()}>
          {t('recovery.done')}
        </Button>
      </div>
    </div>
  );
}
