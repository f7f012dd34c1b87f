import type { ConversationDetail, ConversationView } from '@parley/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { BlockButton } from '../contacts/block.tsx';
import { ChooseMembers, type Invited } from './choose-members.tsx';
import { ConfirmMembers } from './confirm-members.tsx';
import { InvitedList, useReloadInvited } from './invited.tsx';
import { MemberRow } from './member-row.tsx';
import { PersonKey } from './person-key.tsx';
import { type Member, nameOf, useDetail, useReloadDetail } from './use-detail.ts';

interface AboutProps {
  readonly view: ConversationView;
  readonly onClose: () => void;
}

/** Lists the members of a conversation and manages them (EE-12, EE-20). */
export function About({ view, onClose }: AboutProps) {
  const { t } = useTranslation('conversations');
  const detail = useDetail(view.conversationId);
  return (
    <Dialog open onClose={onClose} title={t('details')} lead={view.title}>
      <div className="grid gap-5">
        {detail.error !== null && <Notice tone="error">{explain(detail.error)}</Notice>}
        {detail.data !== undefined && <Members detail={detail.data} />}
        <Ways view={view} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Members({ detail }: { readonly detail: ConversationDetail }) {
  const { t } = useTranslation('conversations');
  const { accountId } = useDevice();
  const { conversation_id: conversationId, kind, members, strangers, signed, mayConfirm } = detail;
  const role = members.find(({ id }) => id === accountId)?.role;
  const isManager = kind === 'group' && signed && (role === 'owner' || role === 'admin');
  const other = kind === 'h2h' ? members.find(({ id }) => id !== accountId) : undefined;
  return (
    <>
      {!signed && <Unsigned detail={detail} />}
      {members.length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-sm font-semibold">{t('members', { count: members.length })}</h3>
          <ul className="divide-y rounded-lg border">
            {members.map((member) => (
              <li key={member.id}>
                <MemberRow
                  member={member}
                  conversationId={conversationId}
                  role={kind === 'group' ? member.role : undefined}
                  canRemove={isManager && member.id !== accountId}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {strangers.length > 0 && (
        <section className="grid gap-2">
          <h3 className="text-sm font-semibold">{t(signed ? 'strangers' : 'unconfirmed')}</h3>
          {signed && <Notice tone="warning">{t('strangersLead')}</Notice>}
          <ul className="divide-y rounded-lg border border-dashed">
            {strangers.map((member) => (
              <li key={member.id}>
                <MemberRow member={member} conversationId={conversationId} canRemove={false} hasId />
              </li>
            ))}
          </ul>
        </section>
      )}
      {mayConfirm && <ConfirmMembers detail={detail} />}
      {isManager && <InvitedList conversationId={conversationId} />}
      {isManager && <Invite conversationId={conversationId} present={members} />}
      {other !== undefined && <PersonKey accountId={other.id} name={nameOf(other)} />}
      {other !== undefined && (
        <div>
          <BlockButton accountId={other.id} name={nameOf(other)} />
        </div>
      )}
    </>
  );
}

function Unsigned({ detail: { mayConfirm } }: { readonly detail: ConversationDetail }) {
  const { t } = useTranslation('conversations');
  return (
    <Notice tone="warning" title={t('unsigned')}>
      {t(mayConfirm ? 'unsignedOwner' : 'unsignedMember')}
    </Notice>
  );
}

function Invite({ conversationId, present }: { readonly conversationId: string; readonly present: readonly Member[] }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const reload = useReloadDetail(conversationId);
  const reloadInvited = useReloadInvited(conversationId);
  const [invited, setInvited] = useState<readonly Invited[]>([]);
  const invite = useAction(async () => {
    for (const member of invited) await conversations.addMember(conversationId, member);
    await Promise.all([reload(), reloadInvited()]);
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
