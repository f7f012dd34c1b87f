import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly busy?: boolean;
  /** By default the button looks dangerous, because most actions cannot be undone. */
  readonly variant?: 'danger' | 'primary' | 'alarm';
  readonly onConfirm: () => void;
  readonly children?: ReactNode;
}

/** Asks once more before something that cannot be undone. */
export function Confirm(props: ConfirmProps) {
  const { open, onClose, title, lead, action, busy = false, variant = 'danger', onConfirm, children } = props;
  const { t } = useTranslation('parts');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      lead={lead}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          {/* The second click of a double one began before this was asked. */}
          <Button variant={variant} busy={busy} onClick={({ detail }) => detail < 2 && onConfirm()}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
