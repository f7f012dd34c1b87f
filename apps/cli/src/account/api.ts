import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { CommandError } from '../command-error.ts';
import { type Account, readAccount, saveAccount } from './credentials.ts';

/** The server's API as the person who is signed in there; every new pair of tokens is kept before it is used. */
export function openAccountApi(baseUrl: string, program: string): Api {
  const account = readAccount(baseUrl);
  if (account === undefined) {
    const params = { url: baseUrl, command: `${program} login` };
    throw new CommandError('NOT_SIGNED_IN', { params });
  }
  return createSessionApi(baseUrl, account);
}

/** As whoever is signed in, or as nobody: for what everyone may read. */
export function openApi(baseUrl: string): Api {
  const account = readAccount(baseUrl);
  if (account !== undefined) return createSessionApi(baseUrl, account);
  return createApi({ baseUrl, platform: createNodePlatform(), credentials: { kind: 'none' } });
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
