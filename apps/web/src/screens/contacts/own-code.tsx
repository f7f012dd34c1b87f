import { formatContactCode } from '@parley/protocol';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { makeContactLink } from './contact-link.ts';
import { useContactCode } from './use-code.ts';

/** Shows one's own contact code, to be given to others (AC-7). */
export function OwnCode({ canReplace = false }: { readonly canReplace?: boolean }) {
  const { t } = useTranslation('contacts');
  const { code, error, replace } = useContactCode();
  const [asking, setAsking] = useState(false);
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold">{t('yours')}</h2>
      <p className="text-sm text-muted">{t('yoursLead')}</p>
      {error !== null && <Notice tone="error">{explain(error)}</Notice>}
      {code !== undefined && (
        <div className="flex flex-wrap items-center gap-4">
          <QrCode text={makeContactLink(code)} label={t('qr')} />
          <div className="grid justify-items-start gap-2">
            <code className="font-mono text-lg tracking-wide select-all">{formatContactCode(code)}</code>
            <div className="flex flex-wrap gap-2">
              <CopyButton text={formatContactCode(code)} label={t('copyCode')} />
              <CopyButton text={makeContactLink(code)} label={t('copyLink')} />
              {canReplace && (
                <Button size="small" variant="quiet" onClick={() => setAsking(true)}>
                  {t('replace')}
                </Button>
              )}
            </div>
          </div>
        </div>
      )}
      {asking && (
        <ConfirmAction
          title={t('replace')}
          lead={t('replaceLead')}
          confirm={t('replace')}
          onClose={() => setAsking(false)}
          work={replace}
        />
      )}
    </section>
  );
}
