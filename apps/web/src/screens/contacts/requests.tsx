import type { GroupInvitation, IncomingRequest } from '@parley/client';
import { displayText } from '@parley/documents';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { BlockButton } from './block.tsx';
import { nameOf } from './name.ts';

const ROW = 'flex flex-wrap items-center gap-3 px-5 py-3';

/** What waits for an answer: people who ask, and groups that invite (AC-4, AC-5). */
export function Requests() {
  const { t } = useTranslation('contacts');
  const { incoming, invitations, loaded } = useReadable(useDevice().contacts);
  return (
    <>
      <Card flush>
        <div className="px-5 py-4">
          <h2 className="font-semibold">{t('requests')}</h2>
          {loaded && incoming.length === 0 && <p className="text-sm text-muted">{t('noRequests')}</p>}
          {incoming.length > 0 && <p className="text-sm text-muted">{t('untrusted')}</p>}
        </div>
        <ul className="divide-y border-t empty:hidden">
          {incoming.map((request) => (
            <Request key={request.request_id} request={request} />
          ))}
        </ul>
      </Card>
      {invitations.length > 0 && (
        <Card flush>
          <div className="px-5 py-4">
            <h2 className="font-semibold">{t('invitations')}</h2>
            <p className="text-sm text-muted">{t('invitationsLead')}</p>
          </div>
          <ul className="divide-y border-t empty:hidden">
            {invitations.map((invitation) => (
              <Invitation key={invitation.invitation_id} invitation={invitation} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Request({ request }: { readonly request: IncomingRequest }) {
  const { t } = useTranslation('contacts');
  const { contacts } = useDevice();
  const navigate = useNavigate();
  const name = nameOf(request, t('unnamed'));
  const accept = useAction(async () => {
    const conversationId = await contacts.accept(request.request_id);
    await navigate({ to: '/c/$conversationId', params: { conversationId } });
  });
  const decline = useAction(() => contacts.decline(request.request_id));
  const error = accept.error ?? decline.error;
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {t(`by.${request.by}`, { agent: displayText(request.agent_name ?? '', 60) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="primary"
          busy={accept.busy}
          aria-label={t('acceptLabel', { name })}
          onClick={() => accept.run()}
        >
          {t('accept')}
        </Button>
        <Button size="small" busy={decline.busy} aria-label={t('declineLabel', { name })} onClick={() => decline.run()}>
          {t('decline')}
        </Button>
        <BlockButton accountId={request.user_id} name={name} />
      </div>
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
    </li>
  );
}

/** One that was accepted stays until a manager has signed, and can be taken back. */
function Invitation({ invitation }: { readonly invitation: GroupInvitation }) {
  const { t } = useTranslation('contacts');
  const { contacts } = useDevice();
  const navigate = useNavigate();
  const { invitation_id: id, title, invited_by, members, accepted } = invitation;
  const inviter = nameOf(invited_by, t('unnamed'));
  const name = displayText(title ?? '', 60) || t('groupOf', { name: inviter });
  const accept = useAction(async () => {
    const { conversationId, joined } = await contacts.acceptInvitation(id);
    if (joined) await navigate({ to: '/c/$conversationId', params: { conversationId } });
  });
  const decline = useAction(() => contacts.declineInvitation(id));
  const error = accept.error ?? decline.error;
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {t('invitedBy', { name: inviter })} · {t('members', { count: members })}
        </p>
        <div role="status" className="text-sm">
          {accepted && t('joinWaits')}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {!accepted && (
          <Button
            size="small"
            variant="primary"
            busy={accept.busy}
            aria-label={t('acceptLabel', { name })}
            onClick={() => accept.run()}
          >
            {t('accept')}
          </Button>
        )}
        <Button
          size="small"
          busy={decline.busy}
          aria-label={t(accepted ? 'takeBackLabel' : 'declineLabel', { name })}
          onClick={() => decline.run()}
        >
          {t(accepted ? 'takeBack' : 'decline')}
        </Button>
        <BlockButton accountId={invited_by.user_id} name={inviter} />
      </div>
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
    </li>
  );
}
