import { passkeyRoutes } from '@parley/protocol';
import { requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { listPasskeyRows } from './passkey-store.ts';
import { beginLogin, beginRegistration, finishLogin, finishRegistration } from './passkeys.ts';
import { signIn } from './routes.ts';
import { passkeyToWire } from './wire.ts';

export function registerPasskeyRoutes(router: Router, platform: Platform): void {
  const { db } = platform;

  router.add(passkeyRoutes.passkeyRegisterOptions, async ({ caller }) => {
    const { id, options } = await beginRegistration(platform, requireHuman(caller).accountId);
    return { challenge_id: id, options: { ...options } };
  });

  router.add(passkeyRoutes.passkeyRegisterVerify, async ({ caller, body }) => {
    const { accountId } = requireHuman(caller);
    const answer = { challengeId: body.challenge_id, credential: body.credential, name: body.name };
    return passkeyToWire(await finishRegistration(platform, accountId, answer));
  });

  router.add(passkeyRoutes.passkeyLoginOptions, async () => {
    const { id, options } = await beginLogin(platform);
    return { challenge_id: id, options: { ...options } };
  });

  router.add(passkeyRoutes.passkeyLoginVerify, async (request) => {
    const { challenge_id, credential } = request.body;
    const answer = { challengeId: challenge_id, credential };
    return signIn(platform, request, await finishLogin(platform, answer, request.headers['user-agent']));
  });

  router.add(passkeyRoutes.listPasskeys, async ({ caller }) => {
    const rows = await listPasskeyRows(db, requireHuman(caller).accountId);
    return { passkeys: rows.map(passkeyToWire) };
  });

  router.add(passkeyRoutes.deletePasskey, async ({ caller, params }) => {
    const { numDeletedRows } = await db
      .deleteFrom('passkeys')
      .where('credential_id', '=', params.passkey_id)
      .where('account_id', '=', requireHuman(caller).accountId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new RequestError('NOT_FOUND');
    return null;
  });
}
