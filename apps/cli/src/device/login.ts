import { isParleyError } from '@parley/base';
import type { Client } from '@parley/client';
import { createLoginSession } from '../account/login-session.ts';
import { chooseServer } from '../account/server-url.ts';
import { type SignInOptions, signIn } from '../account/sign-in.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { deviceFolder } from './folder.ts';
import type { FoundOptions } from './found.ts';

export interface LoginOptions extends SignInOptions, FoundOptions {
  readonly url?: string;
  /** Whether to wait until another device has approved this one. */
  readonly wait: boolean;
}

/** Signs in, and makes this machine a device of the account. */
export async function login(options: LoginOptions, words: Words, isNew = false): Promise<CommandResult> {
  const baseUrl = chooseServer(options.url);
  const { session, me } = await signIn(baseUrl, { ...options, isNew }, words);
  const shown = { url: baseUrl, name: displayName(me.display_name), email: displayName(me.email) };
  await show(process.stderr, (paint) => `${paint('green', '✓')} ${words.say('account.signed_in', shown)}\n`);
  // It is loaded only here, because signing in does not need it and may fail.
  const { awaitApproval, bindSession, foundIfFirst, openClient } = await import('./enroll.ts');
  const { client, store, close } = await openClient(baseUrl, { words, signedOut: true });
  try {
    // The session of an earlier login may have expired; this one is new.
    if (client.session.getSnapshot().state !== 'signed_out') await client.logout();
    const tokens = await createLoginSession(session, 'parley chat');
    await client.signIn(tokens, { registered: isNew }).catch(explainRevoked);
    await foundIfFirst(client, options, words);
    await bindSession(session, store, me);
    if (options.wait) await awaitApproval(client, words);
    return await describe({ baseUrl, me, client }, words);
  } finally {
    await close();
  }
}

/** Keys of a device that was removed from the account stay refused; only the person can give it new ones. */
function explainRevoked(error: unknown): never {
  if (!isParleyError(error, 'DEVICE_REVOKED')) throw error;
  throw new CommandError('DEVICE_REVOKED', { exit: EXIT.bad, sentences: [{ key: 'device.was_revoked' }] });
}

interface SignedIn {
  readonly baseUrl: string;
  readonly me: { readonly user_id: string; readonly email: string; readonly display_name: string };
  readonly client: Client;
}

async function describe({ baseUrl, me, client }: SignedIn, words: Words): Promise<CommandResult> {
  const folder = deviceFolder(baseUrl);
  const session = client.session.getSnapshot();
  const toJson = (device: object) => ({
    server: baseUrl,
    user_id: me.user_id,
    email: me.email,
    display_name: me.display_name,
    device: { state: session.state, folder, ...device },
  });
  if (session.state !== 'ready') {
    const { deviceId: id, code } = session.state === 'waiting' ? session : { deviceId: '', code: '' };
    const json = toJson(session.state === 'waiting' ? { device_id: id, code } : {});
    return { exit: EXIT.fine, json, text: () => `${words.say('device.waits', { id, code })}\n` };
  }
  const { deviceName, deviceId, devices } = session.device;
  const isUnsaved = (await devices.recoverySecret()) !== undefined;
  const ready = words.say('device.ready', { name: displayName(deviceName), folder });
  return {
    exit: EXIT.fine,
    json: toJson({ device_id: deviceId, recovery_unsaved: isUnsaved }),
    text: (paint) =>
      [
        `${paint('green', '✓')} ${ready}`,
        ...(isUnsaved ? ['', words.say('recovery_secret.made'), ''] : []),
        words.say('device.next'),
        '',
      ].join('\n'),
  };
}
