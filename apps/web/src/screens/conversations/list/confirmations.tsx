import type { ConversationView } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { Checkbox } from '../../../parts/checkbox.tsx';
import { ConfirmAction } from '../../../parts/confirm-action.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useEnd } from '../../../parts/use-end.ts';
import { useAgent } from '../use-agent.ts';
import { nameOf, useDetail } from '../use-detail.ts';

interface ConfirmationProps {
  readonly view: ConversationView;
  readonly onClose: () => void;
  /** The conversation is not to be shown any more. */
  readonly onGone: () => Promise<void>;
}

/** Blocks the other side of a conversation of two, or unblocks them (AC-6). Who that is, was signed or pinned (EE-20). */
export function BlockPerson({ view, onClose }: ConfirmationProps) {
  const { t } = useTranslation('contacts');
  const { accountId, contacts } = useDevice();
  const { data, error } = useDetail(view.conversationId);
  const { blocked } = useReadable(contacts);
  const other = data?.members.find(({ id }) => id !== accountId);
  if (other === undefined)
    return (
      <Dialog open onClose={onClose} title={t('blockLabel', { name: view.title })}>
        {error !== null && <Notice tone="error">{explain(error)}</Notice>}
      </Dialog>
    );
  const isBlocked = blocked.some(({ user_id }) => user_id === other.id);
  const verb = isBlocked ? 'unblock' : 'block';
  return (
    <ConfirmAction
      title={t(`${verb}Label`, { name: nameOf(other) })}
      lead={t(`${verb}Lead`)}
      confirm={t(verb)}
      danger={!isBlocked}
      onClose={onClose}
      work={() => contacts[verb](other.id)}
    />
  );
}

/** An agent is not blocked like a person: what it may do is taken back, and it leaves the conversation. */
export function RemoveAgent({ view, onClose }: ConfirmationProps) {
  const { t } = useTranslation('conversations');
  const end = useEnd();
  const agent = useAgent(view.conversationId);
  if (agent === undefined) return null;
  return (
    <ConfirmAction
      title={t('manage.removeAgentTitle', { name: agent.agentName })}
      lead={t('manage.removeAgentLead')}
      confirm={t('manage.removeAgent')}
      danger
      onClose={onClose}
      work={() => end(agent)}
    />
  );
}

export function LeaveGroup({ view, onClose, onGone }: ConfirmationProps) {
  const { t } = useTranslation('conversations');
  const leave = useLeave(view);
  return (
    <ConfirmAction
      title={t('leave')}
      lead={t('leaveLead')}
      confirm={t('leave')}
      danger
      onClose={onClose}
      work={async () => {
        await leave();
        await onGone();
      }}
    />
  );
}

function useLeave({ conversationId }: ConversationView) {
  const { accountId, conversations } = useDevice();
  return async () => {
    await conversations.removeMember(conversationId, accountId);
    await conversations.sync();
  };
}

/** Deletes for this person, on this device. What brings new messages can be ended with it. */
export function DeleteConversation({ view, onClose, onGone }: ConfirmationProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const { conversationId, kind, title } = view;
  const agent = useAgent(conversationId);
  const leave = useLeave(view);
  const end = useEnd();
  const [isEnding, setEnding] = useState(false);
  const hasAgent = agent !== undefined && agent.status !== 'ended';
  const work = async () => {
    // First what may fail: what is erased does not come back.
    if (isEnding && hasAgent) await end(agent);
    if (isEnding && kind === 'group') await leave();
    await conversations.delete(conversationId);
    await onGone();
  };
  return (
    <ConfirmAction
      title={t('manage.deleteTitle', { title: title || t('untitled') })}
      lead={t(`manage.deleteLead.${kind}`, { title: title || t('untitled') })}
      confirm={t('manage.delete')}
      danger
      onClose={onClose}
      work={work}
    >
      {(hasAgent || kind === 'group') && (
        <Checkbox
          label={t(hasAgent ? 'manage.removeToo' : 'manage.leaveToo')}
          hint={t(hasAgent ? 'manage.removeTooHint' : 'manage.leaveTooHint')}
          checked={isEnding}
          onChange={setEnding}
        />
      )}
    </ConfirmAction>
  );
}
