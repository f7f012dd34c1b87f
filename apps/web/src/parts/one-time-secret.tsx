import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

interface OneTimeSecretProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a secret that cannot be shown again. A click outside the dialog does not close it. */
export function OneTimeSecret({ title, label, secret, onClose }: OneTimeSecretProps) {
  const { t } = useTranslation('parts');
  return (
    <Dialog
      open
      stay
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('secretKept')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Notice tone="warning" title={t('secretOnce')}>
          {t('secretOnceLead')}
        </Notice>
        <div className="grid gap-2">
          <p className="text-sm font-medium">{label}</p>
          <code
            data-testid="secret"
            className="rounded-lg border bg-raised px-3 py-2.5 font-mono text-sm break-all select-all"
          >
            {secret}
          </code>
          <div>
            <CopyButton text={secret} />
          </div>
        </div>
      </div>
    </Dialog>
  );
}
