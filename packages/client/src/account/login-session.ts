import { isParleyError } from '@parley/base';
import { type Api, createApi, type Platform, type SessionTokens, type Store } from '@parley/messenger';
import { authRoutes, type ReplyOf } from '@parley/protocol';

type Tokens = ReplyOf<typeof authRoutes.login>;

/**
 * Who is signed in, as stored between two runs. In a browser the refresh token is in a cookie that scripts cannot read.
 */
interface StoredLoginSession {
  readonly userId: string;
  readonly refreshToken?: string;
}

export interface LoginSession {
  readonly userId: string;
  readonly api: Api;
}

interface LoginSessionOptions {
  readonly baseUrl: string;
  readonly store: Store;
  readonly platform: Platform;
}

const KEY = 'client/session';
const ENDED = 'client/ended';
const COOKIE = /^parley_refresh=([^;]+)/;

/** An API for signing in. Where cookies can be read (Node), it remembers the refresh token. */
export function createSignIn({ baseUrl, platform }: LoginSessionOptions) {
  let refreshToken: string | undefined;
  const fetchAndReadCookie: typeof fetch = async (...request) => {
    const response = await platform.fetch(...request);
    for (const cookie of response.headers.getSetCookie?.() ?? [])
      refreshToken = COOKIE.exec(cookie)?.[1] ?? refreshToken;
    return response;
  };
  const api = createApi({
    baseUrl,
    platform: { ...platform, fetch: fetchAndReadCookie },
    credentials: { kind: 'none' },
  });
  return { api, refreshToken: () => refreshToken };
}

/** `tokens` came from signing in, by whatever method: password, passkey, device flow. */
export async function openLoginSession(
  options: LoginSessionOptions,
  tokens: Tokens,
  refreshToken: string | undefined,
): Promise<LoginSession> {
  const token = tokens.refresh_token ?? refreshToken;
  await save(options.store, { userId: tokens.user_id, ...(token === undefined ? {} : { refreshToken: token }) });
  return toLoginSession(options, tokens.user_id, {
    accessToken: tokens.access_token,
    ...(token === undefined ? {} : { refreshToken: token }),
  });
}

export async function restoreLoginSession(options: LoginSessionOptions): Promise<LoginSession | undefined> {
  const text = await options.store.get(KEY);
  if (text === undefined) return undefined;
  const { userId, refreshToken } = JSON.parse(text) as StoredLoginSession;
  return toLoginSession(options, userId, refreshToken === undefined ? {} : { refreshToken });
}

function toLoginSession(options: LoginSessionOptions, userId: string, tokens: Partial<SessionTokens>): LoginSession {
  const { baseUrl, platform, store } = options;
  const cookie = tokens.refreshToken === undefined;
  const api = createApi({
    baseUrl,
    platform,
    credentials: {
      kind: 'session',
      ...tokens,
      cookie,
      userId,
      onTokens: ({ refreshToken }) => save(store, { userId, ...(refreshToken === undefined ? {} : { refreshToken }) }),
    },
  });
  return { userId, api };
}

function save(store: Store, session: StoredLoginSession): Promise<void> {
  return store.write(new Map([[KEY, JSON.stringify(session)]]));
}

/** Tells the server if it can be reached. On this device the login session ends in any case. */
export async function endLoginSession(store: Store, session: LoginSession): Promise<void> {
  const text = await store.get(KEY);
  const refreshToken = text === undefined ? undefined : (JSON.parse(text) as StoredLoginSession).refreshToken;
  try {
    await session.api.call(authRoutes.logout, {
      body: refreshToken === undefined ? null : { refresh_token: refreshToken },
    });
  } catch {
    // The server cannot be reached, or the login session has ended already.
  }
  await dropLoginSession(store);
}

export function dropLoginSession(store: Store, reason?: SignedOutReason): Promise<void> {
  return store.write(new Map([[KEY, null], ...(reason === undefined ? [] : [[ENDED, reason] as const])]));
}

/**
 * Why nobody is signed in: the device was removed from the account, or the session was ended elsewhere or is too old. It
 * is only what is told to the person: what a device may do is decided by the list (EE-18).
 */
export type SignedOutReason = 'revoked' | 'ended';

export const reasonOf = (error: unknown): SignedOutReason =>
  isParleyError(error, 'DEVICE_REVOKED') ? 'revoked' : 'ended';

export async function readReason(store: Store): Promise<SignedOutReason | undefined> {
  return (await store.get(ENDED)) as SignedOutReason | undefined;
}

export const reasonEntry = (reason: SignedOutReason | null) => [ENDED, reason] as const;
