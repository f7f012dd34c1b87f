import { authRoutes } from '@parley/protocol';
import { type LoginSession, REFRESH_SECONDS, refreshSession, wakeSessions } from '../auth/session.ts';
import { listLiveSessions, revokeByRefreshToken, revokeSessions } from '../auth/session-store.ts';
import { requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Request, Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { loginByPassword, registerAccount } from './account.ts';
import { changePassword } from './change-password.ts';
import { readRefreshCookie, refreshCookie, refuseCrossSite } from './cookie.ts';
import { deleteAccount } from './delete-account.ts';
import type { AccountDeps } from './deps.ts';
import { normaliseEmail } from './email.ts';
import { CODE_SECONDS, sendEmailCode } from './email-code.ts';
import { exportAccount } from './export-account.ts';
import { sessionToWire, tokensToWire } from './wire.ts';

/** Registers the routes for signing up, signing in and managing an account (TR-9). */
export function registerAccountRoutes(router: Router, deps: AccountDeps): void {
  const { config, db } = deps;

  router.add(authRoutes.sendCode, async ({ body }) => {
    await sendEmailCode(deps, normaliseEmail(body.email));
    return { expires_in_seconds: CODE_SECONDS };
  });

  router.add(authRoutes.register, async (request) => {
    const { email, account_password, display_name, code } = request.body;
    const client = request.headers['user-agent'];
    const input = { email, password: account_password, displayName: display_name, code, client };
    return signIn(deps, request, await registerAccount(deps, input));
  });

  router.add(authRoutes.login, async (request) => {
    const { email, account_password } = request.body;
    const input = { email, password: account_password, client: request.headers['user-agent'] };
    return signIn(deps, request, await loginByPassword(deps, input));
  });

  router.add(authRoutes.refresh, async (request) => {
    const given = request.body?.refresh_token;
    if (given !== undefined) {
      const session = await refreshSession(deps, given);
      return { ...tokensToWire(session), refresh_token: session.refreshToken };
    }
    refuseCrossSite(config, request.headers);
    const cookie = readRefreshCookie(request.headers);
    if (cookie === undefined) throw new RequestError('UNAUTHENTICATED');
    return signIn(deps, request, await refreshSession(deps, cookie));
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

  router.add(authRoutes.listSessions, async ({ caller }) => {
    const { accountId, sessionId } = requireHuman(caller);
    const rows = await listLiveSessions(db, accountId, deps.now());
    return { sessions: rows.map((row) => sessionToWire(row, sessionId)) };
  });

  router.add(authRoutes.revokeSession, async ({ caller, params }) => {
    const { accountId } = requireHuman(caller);
    const ended = await revokeSessions(db, { accountId, sessionId: params.session_id }, deps.now());
    if (ended.length === 0) throw new RequestError('NOT_FOUND');
    wakeSessions(deps, ended);
    return null;
  });

  router.add(authRoutes.changePassword, async ({ body, caller }) => {
    const { account_password: old, new_password: next } = body;
    await changePassword(deps, requireHuman(caller), { old, next });
    return null;
  });

  router.add(authRoutes.deleteAccount, async ({ body, caller, setHeader }) => {
    await deleteAccount(deps, requireHuman(caller).accountId, body.account_password);
    setHeader('set-cookie', refreshCookie(config, undefined, 0));
    return null;
  });

  router.add(authRoutes.exportAccount, ({ caller }) => exportAccount(db, requireHuman(caller).accountId));
}

/** Replies with the tokens of a session, and sets its refresh token as a cookie. */
export function signIn<R>({ config }: Platform, { setHeader }: Request<R>, session: LoginSession) {
  setHeader('set-cookie', refreshCookie(config, session.refreshToken, REFRESH_SECONDS));
  return tokensToWire(session);
}
