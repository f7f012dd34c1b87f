import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { CommandError } from '../command-error.ts';
import { type Account, readAccount, saveAccount } from './credentials.ts';
import type { Tokens } from './login-session.ts';

/** The server's API as the person who is signed in there; every new pair of tokens is kept before it is used. */
export function openAccountApi(baseUrl: string, program: string): Api {
  const account = readAccount(baseUrl);
  if (account === undefined) {
    const params = { url: baseUrl, command: `${program} login` };
    throw new CommandError('NOT_SIGNED_IN', { params });
  }
  return createSessionApi(baseUrl, account);
}

/** For signing in. */
export function createAnonymousApi(baseUrl: string): Api {
  return createApi({ baseUrl, platform: createNodePlatform(), credentials: { kind: 'none' } });
}

/** Keeps the tokens of someone who has just signed in, and acts as them from then on. */
export function startSession(baseUrl: string, { user_id, access_token, refresh_token }: Tokens): Api {
  const refreshToken = refresh_token === undefined ? {} : { refreshToken: refresh_token };
  const account = { userId: user_id, accessToken: access_token, ...refreshToken };
  saveAccount(baseUrl, account);
  return createSessionApi(baseUrl, account);
}

/** As whoever is signed in, or as nobody: for what everyone may read. */
export function openApi(baseUrl: string): Api {
  const account = readAccount(baseUrl);
  return account === undefined ? createAnonymousApi(baseUrl) : createSessionApi(baseUrl, account);
}

export function createSessionApi(baseUrl: string, { userId, accessToken, refreshToken }: Account): Api {
  return createApi({
    baseUrl,
    platform: createNodePlatform(),
    credentials: {
      kind: 'session',
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(refreshToken === undefined ? {} : { refreshToken }),
      onTokens: (tokens) => saveAccount(baseUrl, { userId, ...tokens }),
    },
  });
}
