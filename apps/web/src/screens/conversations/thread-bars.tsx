import type { ConversationDetail, RelationView } from '@parley/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { classNames } from '../../parts/class-names.ts';
import { useChangedKey } from './person-key.tsx';
import { nameOf } from './use-detail.ts';

const ACTION = 'font-semibold underline min-h-6';

interface BarProps {
  readonly text: string;
  /** Nothing waits for an answer. */
  readonly calm?: boolean;
  readonly children: ReactNode;
}

function Bar({ text, calm = false, children }: BarProps) {
  return (
    <div
      role="status"
      className={classNames(
        'flex flex-wrap items-center gap-3 border-b px-5 py-2 text-sm',
        calm ? 'bg-raised text-muted' : 'bg-medium-soft text-medium',
      )}
    >
      <span className="min-w-0 flex-1">{text}</span>
      {children}
    </div>
  );
}

/** Shows what waits for the person's answer about the agent (RL-9, EE-9, EE-19), or that it is gone (WC-53). */
export function AgentBar({ agent }: { readonly agent: RelationView }) {
  const { t } = useTranslation('conversations');
  const { agentId, agentName: name, status, endedBy, needsReview, needsSignature, problem } = agent;
  const trouble = useTrouble(agent);
  if (status === 'ended') {
    return (
      <Bar calm text={t(endedBy === 'person' ? 'gone.removed' : 'gone.other', { name })}>
        <Link to="/agents/$agentId" params={{ agentId }} className={ACTION}>
          {t(endedBy === 'person' ? 'gone.again' : 'gone.record')}
        </Link>
      </Bar>
    );
  }
  if (!needsReview && !needsSignature && problem === undefined) return null;
  return (
    <Bar text={trouble ?? t(needsReview ? 'review' : 'unsignedAgent', { name })}>
      <Link to="/agents/$agentId" params={{ agentId }} className={ACTION}>
        {t('look')}
      </Link>
    </Bar>
  );
}

/** Only an agent that changed is called that. */
function useTrouble({ agentName: name, problem, withheldBy }: RelationView): string | undefined {
  const { t } = useTranslation('conversations');
  switch (problem) {
    case undefined:
      return undefined;
    case 'row':
      return t('problem.row.relation', { name });
    case 'withheld':
      return t('problem.withheld.agent', { name, device: withheldBy?.name });
    case 'manifest':
      return t('problem.manifest.forged', { name });
    default:
      return t(`problem.${problem}`, { name });
  }
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
