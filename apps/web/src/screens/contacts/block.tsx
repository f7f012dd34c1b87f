import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';

/** Blocks a person, or unblocks them (AC-6). */
export function BlockButton({ accountId, name }: { readonly accountId: string; readonly name: string }) {
  const { t } = useTranslation('contacts');
  const { contacts } = useDevice();
  const isBlocked = useReadable(contacts).blocked.some(({ user_id }) => user_id === accountId);
  const [asking, setAsking] = useState(false);
  const verb = isBlocked ? 'unblock' : 'block';
  return (
    <>
      <Button
        size="small"
        variant={isBlocked ? 'plain' : 'danger'}
        aria-label={t(`${verb}Label`, { name })}
        onClick={() => setAsking(true)}
      >
        {t(verb)}
      </Button>
      {asking && (
        <ConfirmAction
          title={t(`${verb}Label`, { name })}
          lead={t(`${verb}Lead`)}
          confirm={t(verb)}
          danger={!isBlocked}
          onClose={() => setAsking(false)}
          work={() => contacts[verb](accountId)}
        />
      )}
    </>
  );
}
