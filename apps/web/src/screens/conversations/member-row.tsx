import { Bot, User } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Asked, useAsk } from '../contacts/ask.tsx';
import { BlockButton } from '../contacts/block.tsx';
import { type Member, nameOf, useReloadDetail } from './use-detail.ts';

interface MemberRowProps {
  readonly member: Member;
  readonly conversationId: string;
  readonly role?: Member['role'] | undefined;
  readonly canRemove: boolean;
  /** Names are what the server says: where nobody signed for a member, the id is shown as well. */
  readonly hasId?: boolean;
}

export function MemberRow({ member, conversationId, role, canRemove, hasId = false }: MemberRowProps) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const reload = useReloadDetail(conversationId);
  const remove = useAction(async () => {
    await conversations.removeMember(conversationId, member.id);
    await reload();
  });
  return (
    <div className="flex flex-wrap items-center gap-3 px-3 py-2">
      <MemberName member={member} hasId={hasId} />
      {role !== undefined && <Tag>{t(`role.${role}`)}</Tag>}
      {role !== undefined && <MemberActions member={member} />}
      {canRemove && (
        <Button
          size="small"
          variant="danger"
          busy={remove.busy}
          aria-label={t('removeLabel', { name: nameOf(member) })}
          onClick={() => remove.run()}
        >
          {t('remove')}
        </Button>
      )}
      {remove.error !== undefined && <Notice tone="error">{explain(remove.error)}</Notice>}
    </div>
  );
}

/** In a group: asks a member to become a contact, and blocks one (AC-4, AC-6). */
function MemberActions({ member }: { readonly member: Member }) {
  const { t } = useTranslation('contacts');
  const { accountId, contacts } = useDevice();
  const { contacts: known, blocked, loaded } = useReadable(contacts);
  const asked = useAsk();
  if (member.kind !== 'human' || member.id === accountId) return null;
  const name = nameOf(member);
  const isKnown = [...known, ...blocked].some(({ user_id }) => user_id === member.id);
  return (
    <>
      {loaded && !isKnown && asked.done === undefined && (
        <Button
          size="small"
          variant="quiet"
          busy={asked.busy}
          aria-label={t('askLabel', { name })}
          onClick={() => asked.run({ user_id: member.id })}
        >
          {t('askMember')}
        </Button>
      )}
      <BlockButton accountId={member.id} name={name} />
      <Asked asked={asked} />
    </>
  );
}

export function MemberName({ member, hasId }: { readonly member: Member; readonly hasId: boolean }) {
  const { t } = useTranslation('conversations');
  const { accountId } = useDevice();
  const Icon = member.kind === 'agent' ? Bot : User;
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <bdi className="min-w-0 truncate">{nameOf(member)}</bdi>
          {member.kind === 'agent' && <Tag>{t('agent')}</Tag>}
          {member.id === accountId && <Tag>{t('you')}</Tag>}
        </p>
        {hasId && <code className="block font-mono text-xs break-all text-muted">{member.id}</code>}
      </div>
    </>
  );
}
