import { createLoginSession } from '../account/login-session.ts';
import { chooseServer } from '../account/server-url.ts';
import { type SignInOptions, signIn } from '../account/sign-in.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';
import { deviceFolder } from './folder.ts';

export interface LoginOptions extends SignInOptions {
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
  const { awaitApproval, bindSession, findDevice, openClient } = await import('./enroll.ts');
  const { client, store, close } = await openClient(baseUrl, { words, signedOut: true });
  try {
    // The session of an earlier login may have expired; this one is new.
    if (client.session.getSnapshot().state !== 'signed_out') await client.logout();
    await client.signIn(await createLoginSession(session, 'parley chat'));
    await bindSession(session, store, me);
    const device = options.wait ? await awaitApproval(client, words) : findDevice(client);
    return describe({ baseUrl, me, client: client.session.getSnapshot() }, device?.deviceName, words);
  } finally {
    await close();
  }
}

interface SignedIn {
  readonly baseUrl: string;
  readonly me: { readonly user_id: string; readonly email: string; readonly display_name: string };
  readonly client: { readonly state: string; readonly code?: string };
}

function describe({ baseUrl, me, client }: SignedIn, deviceName: string | undefined, words: Words): CommandResult {
  const folder = deviceFolder(baseUrl);
  const json = {
    server: baseUrl,
    user_id: me.user_id,
    email: me.email,
    display_name: me.display_name,
    device: { state: client.state, folder, ...(client.code === undefined ? {} : { code: client.code }) },
  };
  if (deviceName === undefined) {
    return { exit: EXIT.fine, json, text: () => `${words.say('device.waits', { code: client.code ?? '' })}\n` };
  }
  const name = displayName(deviceName);
  const lines = [words.say('device.ready', { name, folder }), words.say('device.next')];
  return { exit: EXIT.fine, json, text: (paint) => `${paint('green', '✓')} ${lines.join('\n')}\n` };
}
