import type { ConversationView } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, User } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ChooseMembers, type Invited } from './choose-members.tsx';
import { SafetyNumber } from './safety-number.tsx';
import { type Member, nameOf, useMembers } from './use-members.ts';

interface AboutProps {
  readonly view: ConversationView;
  readonly onClose: () => void;
}

/** Lists the members of a conversation and manages them (EE-12). */
export function About({ view, onClose }: AboutProps) {
  const { t } = useTranslation('conversations');
  const { accountId } = useDevice();
  const members = useMembers(view.conversationId);
  const role = members.find(({ id }) => id === accountId)?.role;
  const isManager = view.kind === 'group' && (role === 'owner' || role === 'admin');
  const other = view.kind === 'h2h' ? members.find(({ id }) => id !== accountId) : undefined;
  return (
    <Dialog open onClose={onClose} title={t('details')} lead={view.title}>
      <div className="grid gap-5">
        <section className="grid gap-2">
          <h3 className="text-sm font-semibold">{t('members', { count: members.length })}</h3>
          <ul className="divide-y rounded-lg border">
            {members.map((member) => (
              <li key={member.id}>
                <Row member={member} view={view} canRemove={isManager && member.id !== accountId} />
              </li>
            ))}
          </ul>
        </section>
        {isManager && <Invite view={view} present={members} />}
        {other !== undefined && <SafetyNumber party={{ kind: 'account', id: other.id }} />}
        <Ways view={view} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Row({
  member,
  view,
  canRemove,
}: {
  readonly member: Member;
  readonly view: ConversationView;
  readonly canRemove: boolean;
}) {
  const { t } = useTranslation('conversations');
  const { accountId, conversations } = useDevice();
  const queries = useQueryClient();
  const remove = useAction(async () => {
    await conversations.removeMember(view.conversationId, member.id);
    await queries.invalidateQueries({ queryKey: ['members', view.conversationId] });
  });
  const Icon = member.kind === 'agent' ? Bot : User;
  return (
    <div className="flex flex-wrap items-center gap-3 px-3 py-2">
      <Icon aria-hidden className="size-4 text-muted" />
      <bdi className="min-w-0 flex-1 truncate">{nameOf(member)}</bdi>
      {member.id === accountId && <Tag>{t('you')}</Tag>}
      {view.kind === 'group' && <Tag>{t(`role.${member.role}`)}</Tag>}
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

function Invite({ view, present }: { readonly view: ConversationView; readonly present: readonly Member[] }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const queries = useQueryClient();
  const [invited, setInvited] = useState<readonly Invited[]>([]);
  const invite = useAction(async () => {
    for (const member of invited) await conversations.addMember(view.conversationId, member);
    await queries.invalidateQueries({ queryKey: ['members', view.conversationId] });
    setInvited([]);
  });
  return (
    <section className="grid gap-3">
      <h3 className="text-sm font-semibold">{t('invite')}</h3>
      <ChooseMembers chosen={invited} onChange={setInvited} without={present.map(({ id }) => id)} />
      {invite.error !== undefined && <Notice tone="error">{explain(invite.error)}</Notice>}
      <div>
        <Button
          variant="primary"
          size="small"
          disabled={invited.length === 0}
          busy={invite.busy}
          onClick={() => invite.run()}
        >
          {t('invite')}
        </Button>
      </div>
    </section>
  );
}

/** Leaves the group, or erases the history on this device. */
function Ways({ view, onClose }: AboutProps) {
  const { t } = useTranslation('conversations');
  const { accountId, conversations } = useDevice();
  const navigate = useNavigate();
  const [asking, ask] = useState<'erase' | 'leave'>();
  const act = useAction(async () => {
    if (asking === 'erase') await conversations.eraseHistory(view.conversationId);
    else {
      await conversations.removeMember(view.conversationId, accountId);
      await conversations.sync();
      await navigate({ to: '/' });
    }
    ask(undefined);
    onClose();
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant="danger" size="small" onClick={() => ask('erase')}>
        {t('erase')}
      </Button>
      {view.kind === 'group' && (
        <Button variant="danger" size="small" onClick={() => ask('leave')}>
          {t('leave')}
        </Button>
      )}
      <Confirm
        open={asking !== undefined}
        onClose={() => ask(undefined)}
        title={asking === 'leave' ? t('leave') : t('erase')}
        lead={asking === 'leave' ? t('leaveLead') : t('eraseLead')}
        action={asking === 'leave' ? t('leave') : t('erase')}
        busy={act.busy}
        onConfirm={() => act.run()}
      >
        {act.error !== undefined && <Notice tone="error">{explain(act.error)}</Notice>}
      </Confirm>
    </div>
  );
}
