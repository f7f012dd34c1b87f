import { invitationRoutes as routes } from '@parley/protocol';
import { addInvitation, listInvitationRows, revokeInvitationRow } from '../accounts/invitations.ts';
import { addNotice } from '../accounts/notices.ts';
import { invitationLink } from '../accounts/operator-link.ts';
import { addReset, OPERATOR_RESET_SECONDS, resetLink, tellByMail } from '../accounts/password-reset.ts';
import { SYSTEM_ACCOUNT } from '../agents/system-account.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Platform } from '../platform.ts';
import { lockAccount, requireStillOperator } from './lock-account.ts';
import { doneBy, logAction } from './log.ts';
import { requireFreshOperator, requireOperator } from './operator.ts';
import { toWireInvitation } from './wire.ts';

/** How operators let people in: invitations (AC-8), and links for a lost password (AC-9). */
export function registerInvitationRoutes(router: Router, platform: Platform): void {
  const { db, config, log } = platform;
  const mailer = createMailer(config, log);

  router.add(routes.createInvitation, async (request) => {
    const operator = requireOperator(request);
    const { accountId } = operator;
    const { uses = 1, days = 7, note = '' } = request.body;
    const now = platform.now();
    const { code, invitation } = await db.transaction().execute(async (trx) => {
      await requireStillOperator(trx, operator, now);
      const added = await addInvitation(trx, { createdBy: accountId, uses, days, note }, now);
      const target = { target_kind: 'invitation' as const, target_id: added.invitation.id, previous: '' };
      const action = { ...doneBy(operator), action: 'invitation.create', reason: note, created_at: now };
      await logAction(trx, { ...action, ...target });
      return added;
    });
    return { invitation: toWireInvitation(invitation), code, link: invitationLink(platform, code) };
  });

  router.add(routes.listInvitations, async (request) => {
    requireOperator(request);
    return { invitations: (await listInvitationRows(db)).map(toWireInvitation) };
  });

  router.add(routes.revokeInvitation, async (request) => {
    const operator = requireOperator(request);
    const { invitation_id: id } = request.params;
    const now = platform.now();
    await db.transaction().execute(async (trx) => {
      await requireStillOperator(trx, operator, now);
      if (!(await revokeInvitationRow(trx, id, now))) throw new RequestError('NOT_FOUND');
      const target = { target_kind: 'invitation' as const, target_id: id, previous: '' };
      const action = { ...doneBy(operator), action: 'invitation.revoke', reason: '', created_at: now };
      await logAction(trx, { ...action, ...target });
    });
    return null;
  });

  router.add(routes.createResetLink, async (request) => {
    const operator = await requireFreshOperator(platform, request);
    const { accountId } = operator;
    const { account_id: id } = request.params;
    // It would be a way around the old password for whoever holds a stolen session.
    if (id === accountId) throw new RequestError('OWN_ACCOUNT');
    const { reason = '' } = request.body;
    const now = platform.now();
    const { code, expiresAt, email } = await db.transaction().execute(async (trx) => {
      const account = await lockAccount(trx, { admin: operator, accountId: id, now });
      // Nobody signs in as the owner of local agents.
      if (account.status !== 'active' || id === SYSTEM_ACCOUNT) throw new RequestError('NOT_FOUND');
      const reset = await addReset(trx, { accountId: id, createdBy: accountId, seconds: OPERATOR_RESET_SECONDS }, now);
      await addNotice(trx, { accountId: id, kind: 'operator_reset_link' }, now);
      const target = { target_kind: 'account' as const, target_id: id, previous: account.status };
      const action = { ...doneBy(operator), action: 'account.reset_link', reason, created_at: now };
      await logAction(trx, { ...action, ...target });
      return { ...reset, email: account.email };
    });
    tellByMail({ mailer, log }, email, [
      'An operator of your Parley server created a link to set a new password for your account. If you didn’t ask for it, ask them why.',
      '您的 Parley 服务器的运营者生成了一个链接，可为您的账户设置新密码。如果不是您要求的，请向运营者询问原因。',
    ]);
    return { link: resetLink(platform, code), expires_at: expiresAt.toISOString() };
  });
}
