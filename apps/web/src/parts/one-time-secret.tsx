import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { useStay } from './use-stay.ts';

const always = () => true;

interface OneTimeSecretProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  /** Called when the person says that they saved it, and for no other reason. */
  readonly onSaved: () => void;
}

/** Shows a secret that cannot be shown again, until the person says that they saved it (WC-63). */
export function OneTimeSecret({ title, label, secret, onSaved }: OneTimeSecretProps) {
  const { t } = useTranslation('parts');
  const [isWarned, warn] = useState(false);
  const saved = useRef<HTMLButtonElement>(null);
  useStay(always);
  return (
    <Dialog
      open
      stay
      // Escape, which closes other dialogs: it asks here, and shows which button closes this one.
      onClose={() => {
        warn(true);
        saved.current?.focus();
      }}
      title={title}
      actions={
        <Button ref={saved} variant="primary" onClick={onSaved}>
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
            translate="no"
            className="rounded-lg border bg-raised px-3 py-2.5 font-mono text-sm break-all select-all"
          >
            {secret}
          </code>
          <div>
            <CopyButton text={secret} />
          </div>
        </div>
        {isWarned && (
          <Notice tone="error" title={t('oneTime.asked')}>
            {t('oneTime.askedLead')}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
