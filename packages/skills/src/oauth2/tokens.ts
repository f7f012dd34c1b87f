import type { SkillAuth } from '@parley/documents/skill';
import type { AuthorizationServer } from 'oauth4webapi';
import type { CredentialStore, OAuth2Client, Tokens } from '../credentials/store.ts';
import type { Http } from '../http/http.ts';
import { SkillError } from '../skill-error.ts';
import { describeServer, type Grant, requestTokens } from './token-request.ts';

/** A token that ends within this time is not begun with. */
const MARGIN_MS = 30_000;

interface TokenRequestOptions {
  readonly origin: string;
  readonly auth: SkillAuth;
  readonly store: CredentialStore;
  /** A token that the skill has just refused. */
  readonly refused?: string;
}

interface Renewal {
  readonly client: OAuth2Client;
  readonly server: AuthorizationServer;
  readonly options: TokenRequestOptions;
}

export type GetAccessToken = (options: TokenRequestOptions) => Promise<string>;

/**
 * Access tokens from the store, renewed when they end (SI-2). Requests that need one at once share its renewal, if they
 * have the same store and credentials: otherwise one caller's request would go out with another's token.
 */
export function createTokenSource(http: Http, clock: () => number = Date.now): GetAccessToken {
  const renewals = new WeakMap<CredentialStore, Map<string, Promise<string>>>();
  return async (options) => {
    const { origin, store, auth, refused } = options;
    const client = (await store.find(origin))?.oauth2;
    if (client === undefined) throw new SkillError('AUTH_REQUIRED', { details: { reason: 'no_client', origin } });
    const { tokens } = client;
    if (tokens !== undefined && tokens.access_token !== refused && isFresh(tokens, clock())) return tokens.access_token;
    const server = trustedServer(client, auth, origin);
    const running = renewals.get(store) ?? new Map<string, Promise<string>>();
    renewals.set(store, running);
    // A store may answer each caller differently.
    const key = JSON.stringify([origin, server.token_endpoint, scopesOf(client, auth), client]);
    const started = running.get(key);
    if (started !== undefined) return started;
    const renewal = renew({ client, server, options }).finally(() => running.delete(key));
    running.set(key, renewal);
    return renewal;
  };

  async function renew({ client, server, options }: Renewal) {
    const { origin, store, auth } = options;
    // No signal: whoever asked first may leave, the others still wait for it.
    const ask = (grant: Grant) => requestTokens(http, { server, client, grant }, clock());
    const keep = async (tokens: Tokens) => {
      await store.saveTokens(origin, tokens);
      return tokens.access_token;
    };
    const refreshToken = client.tokens?.refresh_token;
    if (refreshToken !== undefined) {
      try {
        const tokens = await ask({ type: 'refresh_token', refreshToken });
        // RFC 6749, section 6: without a new one the old one stays.
        return await keep({ refresh_token: refreshToken, ...tokens });
      } catch (error) {
        if (!isInvalidGrant(error)) throw error;
        await store.saveTokens(origin, undefined);
      }
    }
    if (client.grant === 'client_credentials' && client.client_secret !== undefined) {
      return keep(await ask({ type: 'client_credentials', scope: scopesOf(client, auth).join(' ') }));
    }
    throw new SkillError('AUTH_REQUIRED', { details: { reason: 'authorization_needed', origin } });
  }
}

/**
 * Where secrets of a client go. Someone else wrote the descriptor, so only the token address that was kept with the
 * client gets them, or one on the skill's own origin.
 */
export function trustedServer(client: OAuth2Client, auth: SkillAuth, origin: string) {
  const url = auth.oauth2!.token_url;
  const kept = client.token_url;
  if (kept === undefined ? new URL(url).origin === origin : kept === url) return describeServer(auth.oauth2!);
  throw new SkillError('AUTH_REQUIRED', { details: { reason: 'token_url_not_trusted', origin } });
}

export function scopesOf(client: OAuth2Client, auth: SkillAuth): readonly string[] {
  return client.scopes ?? Object.keys(auth.oauth2!.scopes);
}

function isFresh({ expires_at }: Tokens, now: number): boolean {
  return expires_at === undefined || expires_at - MARGIN_MS > now;
}

function isInvalidGrant(error: unknown): boolean {
  return error instanceof SkillError && error.details.reason === 'invalid_grant';
}
