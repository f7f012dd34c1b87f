import type { RelationView } from '@parley/client';
import { Link } from '@tanstack/react-router';
import { BotOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card, Empty } from '../../parts/card.tsx';
import { Page } from '../../shell/page.tsx';
import { History } from './grants.tsx';

const LINK = 'inline-flex min-h-6 items-center font-medium text-accent underline';

/** The whole page of an agent that there is no more (WC-53). */
export function Gone({ relation }: { readonly relation: RelationView | undefined }) {
  const { t } = useTranslation('agents');
  const name = relation?.agentName;
  return (
    <Page>
      <div className="grid gap-6">
        <Empty
          icon={<BotOff aria-hidden className="size-10" />}
          title={relation === undefined ? t('gone.unknown') : t('gone.other', { name })}
        >
          <p>{t(relation === undefined ? 'gone.unknownLead' : 'gone.otherLead')}</p>
          <p className="mt-3 flex flex-wrap justify-center gap-x-4 gap-y-2">
            {relation !== undefined && <Conversation relation={relation} />}
            <Link to="/agents" className={LINK}>
              {t('gone.find')}
            </Link>
          </p>
        </Empty>
        {relation !== undefined && <History relation={relation} />}
      </div>
    </Page>
  );
}

/** Above the consent with which it would be added again. */
export function Removed({ relation }: { readonly relation: RelationView }) {
  const { t } = useTranslation('agents');
  const { agentName: name, endedBy } = relation;
  return (
    <Card className="grid gap-2">
      <h2 className="font-semibold">{t(endedBy === 'person' ? 'gone.removed' : 'gone.ended', { name })}</h2>
      <p className="text-sm text-muted">{t(endedBy === 'person' ? 'gone.removedLead' : 'gone.endedLead')}</p>
      <p className="text-sm">
        <Conversation relation={relation} />
      </p>
      <History relation={relation} />
    </Card>
  );
}

function Conversation({ relation: { conversationId } }: { readonly relation: RelationView }) {
  const { t } = useTranslation('agents');
  return (
    <Link to="/c/$conversationId" params={{ conversationId }} className={LINK}>
      {t('gone.conversation')}
    </Link>
  );
}
