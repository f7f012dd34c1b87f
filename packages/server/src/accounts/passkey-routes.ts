import { passkeyRoutes } from '@parley/protocol';
import { requireHuman } from '../http/caller.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { CHALLENGE_MS, findPasskeyOfSession, listPasskeyRows } from './passkey-store.ts';
import { beginLogin, beginRegistration, finishLogin, finishRegistration, removePasskey } from './passkeys.ts';
import { FRESH_SECONDS, requireFresh } from './reauthenticate.ts';
import { signIn, traitsOf } from './sign-in.ts';
import { passkeyToWire } from './wire.ts';

export function registerPasskeyRoutes(router: Router, platform: Platform): void {
  const { db } = platform;

  router.add(passkeyRoutes.passkeyRegisterOptions, async ({ caller }) => {
    const human = requireHuman(caller);
    await requireFresh(platform, human);
    const { id, options } = await beginRegistration(platform, human.accountId);
    return { challenge_id: id, options: { ...options } };
  });

  router.add(passkeyRoutes.passkeyRegisterVerify, async ({ caller, body }) => {
    const human = requireHuman(caller);
    // The time for the browser's dialog comes on top.
    await requireFresh(platform, human, FRESH_SECONDS + CHALLENGE_MS / 1_000);
    const answer = { challengeId: body.challenge_id, credential: body.credential, name: body.name };
    return passkeyToWire(await finishRegistration(platform, human, answer), undefined);
  });

  router.add(passkeyRoutes.passkeyLoginOptions, async () => {
    const { id, options } = await beginLogin(platform);
    return { challenge_id: id, options: { ...options } };
  });

  router.add(passkeyRoutes.passkeyLoginVerify, async (request) => {
    const { challenge_id, credential } = request.body;
    const answer = { challengeId: challenge_id, credential };
    return signIn(platform, request, await finishLogin(platform, answer, traitsOf(request)));
  });

  router.add(passkeyRoutes.listPasskeys, async ({ caller }) => {
    const { accountId, sessionId } = requireHuman(caller);
    const current = await findPasskeyOfSession(db, sessionId);
    const rows = await listPasskeyRows(db, accountId);
    return { passkeys: rows.map((row) => passkeyToWire(row, current)) };
  });

  router.add(passkeyRoutes.deletePasskey, async ({ caller, params }) => {
    const human = requireHuman(caller);
    await requireFresh(platform, human);
    await removePasskey(platform, human, params.passkey_id);
    return null;
  });
}
