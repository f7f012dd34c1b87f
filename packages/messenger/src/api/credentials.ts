import { isParleyError } from '@parley/base';
import { fromBase64Url } from '@parley/e2ee';
import { authRoutes, type BodyOf, type ReplyOf } from '@parley/protocol';
import { ApiError } from './api-error.ts';

export interface SessionTokens {
  readonly accessToken: string;
  /** Absent where it is a cookie. */
  readonly refreshToken?: string;
  /** The proof that this device was signed in (AC-1); absent where it is a cookie, or where there is none. */
  readonly knownDevice?: string;
}

export type Credentials =
  | { readonly kind: 'none' }
  /** An agent's token is valid until someone revokes it. */
  | { readonly kind: 'agent'; readonly token: string }
  | {
      readonly kind: 'session';
      readonly accessToken?: string;
      readonly refreshToken?: string;
      /** It tells this device from others when a refresh is repeated (AC-2). */
      readonly knownDevice?: string;
      /** The browser keeps the refresh token where no script can read it. */
      readonly cookie?: boolean;
      /** Whose session it is: there is one cookie for all accounts, and the last that signed in has it. */
      readonly userId?: string;
      /** Every refresh replaces the refresh token: it is kept here before anything is done with the new one. */
      readonly onTokens?: (tokens: SessionTokens) => void | Promise<void>;
    };

export interface TokenSource {
  /** Undefined for whoever is not signed in. */
  token(): Promise<string | undefined>;
  /** After a refusal: another token than the one that was refused, if there is a way to one. */
  renew(refused: string | undefined): Promise<string | undefined>;
}

interface Deps {
  readonly now: () => Date;
  readonly pause: (ms: number) => Promise<void>;
  readonly refresh: (body: BodyOf<typeof authRoutes.refresh>) => Promise<ReplyOf<typeof authRoutes.refresh>>;
}

/** Tokens are refreshed so early that a socket can be renewed before the server closes it. */
const EARLY_MS = 90_000;
const RETRY_MS = 500;

export const refreshRoute: typeof authRoutes.refresh = authRoutes.refresh;

export function createTokenSource(credentials: Credentials, deps: Deps): TokenSource {
  if (credentials.kind === 'none') return { token: async () => undefined, renew: async () => undefined };
  if (credentials.kind === 'agent') {
    return { token: async () => credentials.token, renew: async () => undefined };
  }
  return createSessionTokens(credentials, deps);
}

function createSessionTokens(
  { onTokens, cookie = false, userId, ...given }: Extract<Credentials, { kind: 'session' }>,
  { now, pause, refresh }: Deps,
): TokenSource {
  let { accessToken, refreshToken, knownDevice } = given;
  let expiresAt = accessToken === undefined ? undefined : expiryOf(accessToken);
  let refreshing: Promise<string> | undefined;

  const ask = () => {
    const proof = knownDevice === undefined ? {} : { known_device: knownDevice };
    return refresh(refreshToken === undefined ? null : { refresh_token: refreshToken, ...proof });
  };
  const askAgain = async (error: unknown) => {
    // Another tab has refreshed first, and the browser holds its new cookie by now.
    const isLate = cookie && isParleyError(error, 'REFRESH_CONFLICT');
    // The reply may have been lost. For a minute the same token gives the same answer; later it would end the session (AC-2).
    const isLost = isParleyError(error, 'UNREACHABLE') || isParleyError(error, 'UNAVAILABLE');
    if (!isLate && !isLost) throw error;
    await pause(RETRY_MS);
    return ask();
  };
  const run = async (): Promise<string> => {
    const reply = await ask().catch(askAgain);
    if (userId !== undefined && reply.user_id !== userId) {
      throw new ApiError({ status: 401, code: 'UNAUTHENTICATED', message: 'Sign in first.' });
    }
    const next = reply.refresh_token;
    knownDevice = reply.known_device ?? knownDevice;
    await onTokens?.({
      accessToken: reply.access_token,
      ...(next === undefined ? {} : { refreshToken: next }),
      ...(knownDevice === undefined ? {} : { knownDevice }),
    });
    accessToken = reply.access_token;
    refreshToken = next ?? refreshToken;
    expiresAt = now().getTime() + reply.expires_in_seconds * 1_000;
    return accessToken;
  };
  /** All callers share one refresh. */
  const refreshOnce = (): Promise<string> => {
    refreshing ??= run().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const canRefresh = () => cookie || refreshToken !== undefined;

  return {
    token: async () => {
      const isFresh = expiresAt === undefined || expiresAt - now().getTime() > EARLY_MS;
      return (accessToken !== undefined && isFresh) || !canRefresh() ? accessToken : refreshOnce();
    },
    renew: async (refused) => {
      if (!canRefresh()) return undefined;
      return accessToken !== undefined && accessToken !== refused ? accessToken : refreshOnce();
    },
  };
}

/** `exp` of a JWT. It only decides when to ask for another. */
function expiryOf(token: string): number | undefined {
  try {
    const claims = JSON.parse(new TextDecoder().decode(fromBase64Url(token.split('.')[1] ?? '')));
    return typeof claims.exp === 'number' ? claims.exp * 1_000 : undefined;
  } catch {
    return undefined;
  }
}
