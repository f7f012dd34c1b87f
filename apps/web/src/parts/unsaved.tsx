import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDraft } from '../client/use-document-draft.ts';
import { longTime } from '../i18n/time.ts';
import { Button } from './button.tsx';
import { ConfirmAction } from './confirm-action.tsx';

/** Says since when there are unsaved changes, and offers to throw them away (WC-62). */
export function Unsaved({ draft: { unsaved, discard } }: { readonly draft: DocumentDraft }) {
  const { t } = useTranslation('parts');
  const [asking, ask] = useState(false);
  if (unsaved === undefined) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-info-soft px-4 py-2 text-sm text-info">
      <p role="status" className="min-w-0 break-words">
        {t('unsaved.since', { time: longTime(unsaved.since) })}
      </p>
      <Button size="small" onClick={() => ask(true)}>
        {t('unsaved.discard')}
      </Button>
      {asking && (
        <ConfirmAction
          title={t('unsaved.discardTitle')}
          lead={t('unsaved.discardLead')}
          confirm={t('unsaved.discard')}
          danger
          onClose={() => ask(false)}
          work={async () => discard()}
        />
      )}
    </div>
  );
}
