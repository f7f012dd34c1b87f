import { useTranslation } from 'react-i18next';
import { Dialog } from '../parts/dialog.tsx';
import { RecoverySecret } from './recovery-secret.tsx';

interface RecoveryDialogProps {
  readonly secret: string;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

export function RecoveryDialog({ secret, onSaved, onClose }: RecoveryDialogProps) {
  const { t } = useTranslation('shell');
  return (
    <Dialog open onClose={onClose} title={t('recovery.title')} lead={t('recovery.lead')}>
      <RecoverySecret secret={secret} onSaved={onSaved} />
    </Dialog>
  );
}
