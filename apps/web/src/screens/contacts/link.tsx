import { formatContactCode, readContactCode } from '@parley/protocol';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../shell/page.tsx';
import { Asked, useAsk } from './ask.tsx';
import { useContactCode } from './use-code.ts';

/** The target of a contact link. Opening the link sends nothing by itself. */
export function ContactLinkPage() {
  const { t } = useTranslation('contacts');
  const params = useParams({ strict: false }) as { code: string };
  const code = readContactCode(params.code);
  const { code: own } = useContactCode();
  const asked = useAsk();
  return (
    <Page>
      <PageHead title={t('link')} lead={t('linkLead')} />
      <Card className="grid max-w-lg gap-4">
        {code === undefined ? (
          <Notice tone="error">{t('codeWrong')}</Notice>
        ) : (
          <code className="font-mono text-lg tracking-wide">{formatContactCode(code)}</code>
        )}
        {code !== undefined && code === own && <Notice>{t('ownCode')}</Notice>}
        <Asked asked={asked} />
        {code !== undefined && code !== own && asked.done === undefined && (
          <div>
            <Button variant="primary" busy={asked.busy} onClick={() => asked.run({ code })}>
              {t('ask')}
            </Button>
          </div>
        )}
      </Card>
    </Page>
  );
}
