import type { Invited } from '@parley/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { nameOf, useReloadDetail } from './use-detail.ts';

const keyOf = (conversationId: string) => ['invited', conversationId] as const;
/** Someone accepts while the dialog is open. */
const RELOAD_MS = 5_000;

export function useReloadInvited(conversationId: string): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keyOf(conversationId) });
}

/** Who is invited into a group and no member yet (AC-5). */
export function InvitedList({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const { data = [], error } = useQuery({
    queryKey: keyOf(conversationId),
    queryFn: () => conversations.invited(conversationId),
    refetchInterval: RELOAD_MS,
  });
  if (error !== null) return <Notice tone="error">{explain(error)}</Notice>;
  if (data.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-semibold">{t('invited')}</h3>
      <p className="text-sm text-muted">{t('invitedLead')}</p>
      <ul className="divide-y rounded-lg border border-dashed">
        {data.map((invited) => (
          <InvitedRow key={invited.invitation_id} conversationId={conversationId} invited={invited} />
        ))}
      </ul>
    </section>
  );
}

function InvitedRow({ conversationId, invited }: { readonly conversationId: string; readonly invited: Invited }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const [reload, reloadDetail] = [useReloadInvited(conversationId), useReloadDetail(conversationId)];
  const { invitation_id: id, user_id, accepted } = invited;
  const name = nameOf({ id: user_id, name: invited.name });
  const letIn = useAction(async () => {
    await conversations.addMember(conversationId, { kind: 'human', id: user_id });
    await Promise.all([reload(), reloadDetail()]);
  });
  const withdraw = useAction(async () => {
    await conversations.withdrawInvitation(conversationId, id);
    await reload();
  });
  const error = letIn.error ?? withdraw.error;
  return (
    <li className="flex flex-wrap items-center gap-3 px-3 py-2">
      <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
      {accepted && <Tag>{t('invitedAccepted')}</Tag>}
      {accepted && (
        <Button size="small" busy={letIn.busy} aria-label={t('signInLabel', { name })} onClick={() => letIn.run()}>
          {t('signIn')}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        busy={withdraw.busy}
        aria-label={t('withdrawLabel', { name })}
        onClick={() => withdraw.run()}
      >
        {t('withdraw')}
      </Button>
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
    </li>
  );
}
