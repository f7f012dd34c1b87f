import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';

/** The target of a person's link. Opening the link does not start a conversation by itself. */
export function PersonPage() {
  const { t } = useTranslation('conversations');
  const { accountId } = useParams({ strict: false }) as { accountId: string };
  const { conversations } = useDevice();
  const navigate = useNavigate();
  const start = useAction(async () => {
    const conversationId = await conversations.startWithPerson(accountId);
    await navigate({ to: '/c/$conversationId', params: { conversationId } });
  });
  return (
    <Page>
      <PageHead title={t('withPerson')} lead={t('personLead')} />
      <Card className="grid max-w-lg gap-4">
        <code className="font-mono text-sm break-all">{accountId}</code>
        {start.error !== undefined && <Notice tone="error">{explain(start.error)}</Notice>}
        <div>
          <Button variant="primary" busy={start.busy} onClick={() => start.run()}>
            {t('begin')}
          </Button>
        </div>
      </Card>
    </Page>
  );
}
