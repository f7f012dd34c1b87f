import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { CommandError } from '../command-error.ts';
import { ownCommand } from '../own-command.ts';
import { type Account, readAccount, saveAccount } from './credentials.ts';
import type { Tokens } from './login-session.ts';

/** Calls the server's API as the person who is signed in. Every new pair of tokens is saved before it is used. */
export function openAccountApi(baseUrl: string, program: string): Api {
  const account = readAccount(baseUrl);
  if (account === undefined) {
    const params = { url: baseUrl, command: ownCommand(`${program} login`) };
    throw new CommandError('NOT_SIGNED_IN', { params });
  }
  return createSessionApi(baseUrl, account);
}

/** Calls the API without a session, for signing in. */
export function createAnonymousApi(baseUrl: string): Api {
  return createApi({ baseUrl, platform: createNodePlatform(), credentials: { kind: 'none' } });
}

/** Saves the tokens of a new sign-in and returns an API that uses them. */
export function startSession(baseUrl: string, { user_id, access_token, refresh_token, known_device }: Tokens): Api {
  const refreshToken = refresh_token === undefined ? {} : { refreshToken: refresh_token };
  const knownDevice = known_device === undefined ? {} : { knownDevice: known_device };
  const account = { userId: user_id, accessToken: access_token, ...refreshToken, ...knownDevice };
  saveAccount(baseUrl, account);
  return createSessionApi(baseUrl, account);
}

/** Uses the login session if there is one, otherwise calls anonymously. */
export function openApi(baseUrl: string): Api {
  const account = readAccount(baseUrl);
  return account === undefined ? createAnonymousApi(baseUrl) : createSessionApi(baseUrl, account);
}

export function createSessionApi(baseUrl: string, { userId, accessToken, refreshToken, knownDevice }: Account): Api {
  return createApi({
    baseUrl,
    platform: createNodePlatform(),
    credentials: {
      kind: 'session',
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(knownDevice === undefined ? {} : { knownDevice }),
      onTokens: (tokens) => saveAccount(baseUrl, { userId, ...tokens }),
    },
  });
}
