import { useTranslation } from 'react-i18next';
import { useDraft } from '../../client/use-draft.ts';
import { CopyButton } from '../../parts/copy-button.tsx';

/** Stands where one would write, when nobody is there to read it (WC-53). What was typed and not sent stays (WC-1). */
export function ClosedComposer({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation('conversations');
  const [draft] = useDraft(`message/${conversationId}`);
  return (
    <div className="grid gap-2 border-t bg-surface px-5 py-3 text-sm">
      <p className="text-muted">{t('gone.closed')}</p>
      {draft !== '' && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-muted">{t('gone.draft')}</span>
          <span className="min-w-0 flex-1 whitespace-pre-wrap wrap-anywhere">{draft}</span>
          <CopyButton text={draft} />
        </p>
      )}
    </div>
  );
}
