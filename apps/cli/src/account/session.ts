import { type Api, createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { EXIT, Failure } from '../failure.ts';
import { type Account, readAccount, saveAccount } from './credentials.ts';

/** The server's API as the person who is signed in there; every new pair of tokens is kept before it is used. */
export function openAccount(baseUrl: string, program: string): Api {
  const account = readAccount(baseUrl);
  if (account === undefined) {
    const params = { url: baseUrl, command: `${program} login` };
    throw new Failure('NOT_SIGNED_IN', EXIT.bad, { key: 'account.none', params });
  }
  return createSession(baseUrl, account);
}

/** As whoever is signed in, or as nobody: for what everyone may read. */
export function openAnyway(baseUrl: string): Api {
  const account = readAccount(baseUrl);
  if (account !== undefined) return createSession(baseUrl, account);
  return createApi({ baseUrl, platform: createNodePlatform(), credentials: { kind: 'none' } });
}

export function createSession(baseUrl: string, { userId, accessToken, refreshToken }: Account): Api {
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
