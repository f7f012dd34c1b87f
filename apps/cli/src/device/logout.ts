import type { Client } from '@parley/client';
import { authRoutes } from '@parley/protocol';
import { createSessionApi } from '../account/api.ts';
import { forgetAccount, readAccount } from '../account/credentials.ts';
import { chooseServer } from '../account/server-url.ts';
import { askYesNo, isAtTerminal } from '../ask.ts';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { openClient } from './open.ts';

export interface LogoutOptions {
  readonly url?: string;
  /** Also removes the device: its keys, messages and audit log. */
  readonly forget?: boolean;
  /** Removes the device even if nobody has saved the recovery secret that it holds. */
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function logout(options: LogoutOptions, words: Words): Promise<CommandResult> {
  const baseUrl = chooseServer(options.url);
  const forget = options.forget === true;
  const account = readAccount(baseUrl);
  const { client, close } = await openClient(baseUrl, { words, signedOut: true });
  const wasSignedIn = account !== undefined || client.session.getSnapshot().state !== 'signed_out';
  try {
    if (forget) {
      await keepRecoverable(client, options, words);
      await client.forget();
    } else if (client.session.getSnapshot().state !== 'signed_out') await client.logout();
  } finally {
    await close();
  }
  if (account !== undefined) {
    const body = account.refreshToken === undefined ? null : { refresh_token: account.refreshToken };
    // The server is unreachable or the session is already over; here it ends in any case.
    await createSessionApi(baseUrl, account)
      .call(authRoutes.logout, { body })
      .catch(() => {});
    forgetAccount(baseUrl);
  }
  const key = forget ? 'device.forgotten' : wasSignedIn ? 'device.logged_out' : 'device.nobody';
  return {
    exit: EXIT.fine,
    json: { server: baseUrl, signed_out: wasSignedIn, forgotten: forget },
    text: () => `${words.say(key, { url: baseUrl })}\n`,
  };
}

/** The recovery secret may be nowhere else: without it and without another keeper, the account is lost. */
async function keepRecoverable(client: Client, { yes, json }: LogoutOptions, words: Words): Promise<void> {
  const session = client.session.getSnapshot();
  if (yes || session.state !== 'ready' || (await session.device.devices.recoverySecret()) === undefined) return;
  const isAsked = !json && isAtTerminal();
  if (!isAsked) throw new CommandError('RECOVERY_UNSAVED');
  if (!(await askYesNo(words.say('recovery_secret.ask_lose'), words))) throw new CommandError('DECLINED');
}
