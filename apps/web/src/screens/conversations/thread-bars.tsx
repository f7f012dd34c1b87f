import type { ConversationDetail, RelationView } from '@parley/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { useChangedKey } from './person-key.tsx';
import { nameOf } from './use-detail.ts';

const ACTION = 'font-semibold underline min-h-6';

function Bar({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-b bg-medium-soft px-5 py-2 text-sm text-medium"
    >
      <span className="min-w-0 flex-1">{text}</span>
      {children}
    </div>
  );
}

/** Shows what waits for the person's answer about the agent (RL-9, EE-9, EE-19). */
export function AgentBar({ agent }: { readonly agent: RelationView }) {
  const { t } = useTranslation('conversations');
  const { agentId, agentName: name, needsReview, needsSignature, problem } = agent;
  if (!needsReview && !needsSignature && problem === undefined) return null;
  const isOnlyUnsigned = needsSignature && !needsReview && problem === undefined;
  return (
    <Bar text={t(isOnlyUnsigned ? 'unsignedAgent' : 'review', { name })}>
      <Link to="/agents/$agentId" params={{ agentId }} className={ACTION}>
        {t('look')}
      </Link>
    </Bar>
  );
}

/** Shows that nobody has signed who is in the group, that the server names someone else, or that a key changed (EE-20). */
export function MembersBar({ detail, onOpen }: { readonly detail: ConversationDetail; readonly onOpen: () => void }) {
  const { t } = useTranslation('conversations');
  const { accountId, contacts } = useDevice();
  const { kind, members, strangers, signed, mayConfirm } = detail;
  const other = kind === 'h2h' ? members.find(({ id }) => id !== accountId) : undefined;
  const changed = useChangedKey(other?.id);
  const isBlocked = useReadable(contacts).blocked.some(({ user_id }) => user_id === other?.id);
  const text = () => {
    if (isBlocked && other !== undefined) return t('blockedBar', { name: nameOf(other) });
    if (!signed) return t(mayConfirm ? 'unsignedBarOwner' : 'unsignedBarMember');
    if (strangers.length > 0) return t('strangersBar', { count: strangers.length });
    return changed !== undefined && other !== undefined
      ? t('problem.person_changed', { name: nameOf(other) })
      : undefined;
  };
  const shown = text();
  if (shown === undefined) return null;
  return (
    <Bar text={shown}>
      <button type="button" className={ACTION} onClick={onOpen}>
        {t('look')}
      </button>
    </Bar>
  );
}
