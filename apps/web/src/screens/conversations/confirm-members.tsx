import type { ConversationDetail } from '@parley/client';
import { displayText } from '@parley/documents';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { MemberName } from './member-row.tsx';
import { useReloadDetail } from './use-detail.ts';

/** The owner of a group that nobody has signed yet signs exactly those who are shown (EE-20). */
export function ConfirmMembers({ detail }: { readonly detail: ConversationDetail }) {
  const { t } = useTranslation('conversations');
  // What is on the screen, whatever the server says while the person reads.
  const [shown, show] = useState<ConversationDetail>();
  return (
    <div>
      <Button variant="primary" onClick={() => show(detail)}>
        {t('confirmMembers')}
      </Button>
      {shown !== undefined && (
        <Ask
          conversationId={detail.conversation_id}
          shown={shown.strangers}
          title={shown.title}
          onClose={() => show(undefined)}
        />
      )}
    </div>
  );
}

interface AskProps {
  readonly conversationId: string;
  readonly shown: ConversationDetail['strangers'];
  readonly title: string | null;
  readonly onClose: () => void;
}

function Ask({ conversationId, shown, title, onClose }: AskProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const reload = useReloadDetail(conversationId);
  return (
    <ConfirmAction
      title={t('confirmMembers')}
      lead={t('confirmMembersLead')}
      confirm={t('confirmMembersDo', { count: shown.length })}
      onClose={onClose}
      work={async () => {
        await conversations.confirmMembers(conversationId, { members: shown, title });
        await reload();
      }}
    >
      {title && (
        <p className="font-medium break-words">
          <bdi>{displayText(title)}</bdi>
        </p>
      )}
      <ul className="divide-y rounded-lg border">
        {shown.map((member) => (
          <li key={member.id} className="flex items-center gap-3 px-3 py-2">
            <MemberName member={member} hasId />
          </li>
        ))}
      </ul>
    </ConfirmAction>
  );
}
