import type { AgentDetails, RelationView } from '@parley/client';
import { displayText, preselectScopes } from '@parley/documents';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { firstMessage, takeFirstMessage } from '../../../client/first-message.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { Button } from '../../../parts/button.tsx';
import { Notice } from '../../../parts/notice.tsx';

interface TryNextProps {
  readonly details: AgentDetails;
  readonly relation: RelationView | undefined;
}

/** On the page of an agent: what is still to be switched on for what someone chose to try (WC-43). */
export function TryNext({ details, relation }: TryNextProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const navigate = useNavigate();
  const message = useReadable(firstMessage);
  if (message?.agentId !== details.agentId) return null;
  const { agentId, name } = details;
  const { text, scope } = message;
  const declared = details.preview?.groups.flatMap(({ scopes }) => scopes).find(({ id }) => id === scope);
  const isGranted = relation?.scopes.some(({ id, granted }) => id === scope && granted) === true;
  const isOnBeforehand = details.preview !== undefined && preselectScopes(details.preview).some((id) => id === scope);
  const label = declared === undefined ? undefined : displayText(declared.label, 80);
  const say = async () => {
    if (relation === undefined) return;
    takeFirstMessage(agentId);
    void conversations.sendText(relation.conversationId, text).catch(() => {});
    await navigate({ to: '/c/$conversationId', params: { conversationId: relation.conversationId } });
  };
  const isReady = relation !== undefined && (scope === undefined || isGranted);
  const what = () => {
    if (isReady) return t('first.ready', { text });
    if (label === undefined || (relation === undefined && isOnBeforehand)) return t('first.addOnly', { text, name });
    return t(relation === undefined ? 'first.switchOnAndAdd' : 'first.switchOn', { text, scope: label, name });
  };
  return (
    <Notice>
      <p>{what()}</p>
      {isReady && (
        <Button size="small" className="mt-2" onClick={() => void say()}>
          {t('first.send')}
        </Button>
      )}
    </Notice>
  );
}
