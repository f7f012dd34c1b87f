import { authRoutes } from '@parley/protocol';
import { signKnownDevice } from '../auth/known-device.ts';
import { nonceOf, refreshSession, wakeSessions } from '../auth/session.ts';
import { listLiveSessions, revokeByRefreshToken, revokeSessions } from '../auth/session-store.ts';
import { readBudgetUse } from '../budgets/read-use.ts';
import { requireHuman } from '../http/caller.ts';
import { networkOf } from '../http/network-of.ts';
import { RequestError } from '../http/request-error.ts';
import type { Request, Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { loginByPassword, registerAccount } from './account.ts';
import { changeEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import type { GivenPassword } from './confirm-password.ts';
import { knownDeviceCookie, readRefreshCookie, refreshCookie, refuseCrossSite } from './cookie.ts';
import { deleteAccount } from './delete-account.ts';
import type { AccountDeps } from './deps.ts';
import { normaliseEmail } from './email.ts';
import { CODE_SECONDS, requestEmailCode } from './email-code.ts';
import { createExports } from './export-account.ts';
import { listNotices } from './notices.ts';
import { RESET_SECONDS, resetPassword, sendReset } from './password-reset.ts';
import { FRESH_SECONDS, reauthenticate } from './reauthenticate.ts';
import { checkInvitation, registrationOf } from './registration.ts';
import { signIn, signInWithoutCookies, traitsOf } from './sign-in.ts';
import { sessionToWire } from './wire.ts';

/** Registers the routes for signing up, signing in and managing an account (TR-9). */
export function registerAccountRoutes(router: Router, deps: AccountDeps): void {
  const { config, db } = deps;
  const exportAccount = createExports(db);

  router.add(authRoutes.sendCode, async ({ body, address, log }) => {
    await requestEmailCode(deps, { email: normaliseEmail(body.email), network: networkOf(address), log });
    return { expires_in_seconds: CODE_SECONDS };
  });

  router.add(authRoutes.getSignUp, async () => ({
    registration: registrationOf(deps),
    sends_email: deps.mailer !== undefined,
  }));

  router.add(authRoutes.checkInvitation, async ({ body }) => {
    const role = await checkInvitation(deps, body.invitation);
    return { valid: role !== undefined, role: role ?? null };
  });

  router.add(authRoutes.register, async (request) => {
    const { email, account_password, display_name, code, invitation } = request.body;
    const fields = { email, password: account_password, displayName: display_name, code, invitation };
    return signIn(deps, request, await registerAccount(deps, { ...fields, device: traitsOf(request) }));
  });

  router.add(authRoutes.login, async (request) => {
    const { email, account_password, known_device } = request.body;
    const input = { email, password: account_password, device: traitsOf(request, known_device) };
    return signIn(deps, request, await loginByPassword(deps, input));
  });

  router.add(authRoutes.refresh, async (request) => {
    const given = request.body?.refresh_token;
    const traits = traitsOf(request, request.body?.known_device);
    if (given !== undefined) return signInWithoutCookies(await refreshSession(deps, given, traits));
    refuseCrossSite(config, request.headers);
    const cookie = readRefreshCookie(request.headers);
    if (cookie === undefined) throw new RequestError('UNAUTHENTICATED');
    return signIn(deps, request, await refreshSession(deps, cookie, traits));
  });

  router.add(authRoutes.logout, async ({ body, caller, headers, setHeader }) => {
    const ended: string[] = [];
    if (caller.kind === 'human') {
      const { accountId, sessionId } = caller;
      ended.push(...(await revokeSessions(db, { accountId, sessionId }, deps.now())));
    }
    const given = body?.refresh_token;
    if (given !== undefined) ended.push(...(await revokeByRefreshToken(db, given, deps.now())));
    const cookie = readRefreshCookie(headers);
    if (cookie !== undefined) {
      refuseCrossSite(config, headers);
      ended.push(...(await revokeByRefreshToken(db, cookie, deps.now())));
      setHeader('set-cookie', refreshCookie(config, undefined, 0));
    }
    wakeSessions(deps, ended);
    return null;
  });

  router.add(authRoutes.me, async ({ caller }) => {
    const { accountId, sessionId, deviceId } = requireHuman(caller);
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    return {
      user_id: account.id,
      email: account.email,
      display_name: account.display_name,
      role: account.role,
      account_key: account.account_key,
      session_id: sessionId,
      device_id: deviceId ?? null,
      created_at: account.created_at.toISOString(),
    };
  });

  router.add(authRoutes.changeProfile, async ({ body: { display_name }, caller }) => {
    const { accountId } = requireHuman(caller);
    await db.updateTable('accounts').set({ display_name }).where('id', '=', accountId).execute();
    return { display_name };
  });

  router.add(authRoutes.changeEmail, async (request) => {
    const { email, code } = request.body;
    const change = { email, code, password: passwordOf(request), network: networkOf(request.address) };
    return changeEmail(deps, requireHuman(request.caller), change);
  });

  router.add(authRoutes.listSessions, async ({ caller, query: { cursor } }) => {
    const { accountId, sessionId } = requireHuman(caller);
    const { rows, last } = await listLiveSessions(db, accountId, { now: deps.now(), cursor });
    return { sessions: rows.map((row) => sessionToWire(row, sessionId)), next_cursor: last?.id ?? null };
  });

  router.add(authRoutes.revokeSession, async ({ caller, params }) => {
    const { accountId } = requireHuman(caller);
    const ended = await revokeSessions(db, { accountId, sessionId: params.session_id }, deps.now());
    if (ended.length === 0) throw new RequestError('NOT_FOUND');
    wakeSessions(deps, ended);
    return null;
  });

  router.add(authRoutes.changePassword, async (request) => {
    const { new_password: next, keep_passkeys: keepPasskeys } = request.body;
    const old = passwordOf(request);
    const human = requireHuman(request.caller);
    const client = request.headers['user-agent'];
    await changePassword(deps, human, { old, next, keepPasskeys, client });
    await proveKnownDevice(deps, request, { ...human, nonce: nonceOf(human.sessionId) });
    return null;
  });

  router.add(authRoutes.requestPasswordReset, async ({ body, log, address }) => {
    sendReset(deps, normaliseEmail(body.email), networkOf(address)).catch((error: unknown) =>
      log.error({ err: error }, 'a link for a new password could not be sent'),
    );
    return { expires_in_seconds: RESET_SECONDS };
  });

  router.add(authRoutes.resetPassword, async (request) => {
    const { code, new_password: password, keep_passkeys: keepPasskeys = false } = request.body;
    const accountId = await resetPassword(deps, { code, password, keepPasskeys, device: traitsOf(request) });
    await proveKnownDevice(deps, request, { accountId, nonce: undefined });
    return null;
  });

  router.add(authRoutes.reauthenticate, async (request) => {
    const { body, caller } = request;
    const proof =
      'account_password' in body
        ? passwordOf({ ...request, body })
        : { challengeId: body.challenge_id, credential: body.credential };
    await reauthenticate(deps, requireHuman(caller), proof);
    return { expires_in_seconds: FRESH_SECONDS };
  });

  router.add(authRoutes.listNotices, async ({ caller }) => {
    const rows = await listNotices(db, requireHuman(caller).accountId);
    const notices = rows.map(({ id, kind, detail, created_at }) => ({
      notice_id: id,
      kind,
      detail,
      created_at: created_at.toISOString(),
    }));
    return { notices };
  });

  router.add(authRoutes.deleteAccount, async (request) => {
    const { caller, setHeader } = request;
    await deleteAccount(deps, requireHuman(caller), passwordOf(request));
    setHeader('set-cookie', refreshCookie(config, undefined, 0));
    return null;
  });

  router.add(authRoutes.readUsage, async ({ caller }) => ({
    budgets: await readBudgetUse(deps, requireHuman(caller).accountId),
  }));

  router.add(authRoutes.exportAccount, ({ caller, setHeader }) => {
    setHeader('content-type', 'application/json; charset=utf-8');
    return exportAccount(requireHuman(caller).accountId);
  });
}

interface WithPassword {
  readonly headers: Request<unknown>['headers'];
  readonly address: string;
  readonly body: { readonly account_password: string; readonly known_device?: string };
}

function passwordOf({ body, ...request }: WithPassword): GivenPassword {
  const { account_password: password, known_device: proof } = body;
  return { password, knownDevice: traitsOf(request, proof).knownDevice };
}

/** A new password ends the proofs of all devices; the one that set it gets another. */
async function proveKnownDevice<R>(
  { config, db, now }: Platform,
  { setHeader }: Request<R>,
  { accountId, nonce }: { readonly accountId: string; readonly nonce: string | undefined },
) {
  const account = await db
    .selectFrom('accounts')
    .select('known_device_epoch')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const claims = { accountId, epoch: account.known_device_epoch, nonce };
  setHeader('set-cookie', knownDeviceCookie(config, signKnownDevice(config.tokenSecret, claims, now())));
}
