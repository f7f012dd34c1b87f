import type { SkillDescriptor } from '@parley/documents/skill';
import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi';
import type { CredentialStore } from '../credentials/store.ts';
import type { Http } from '../http/http.ts';
import { SkillError } from '../skill-error.ts';
import { receiveRedirect } from './loopback.ts';
import { partyOf, requestTokens } from './token-request.ts';
import { scopesOf, trustedServer } from './tokens.ts';

const WAIT_MS = 300_000;

export interface AuthoriseOptions {
  readonly credentials: CredentialStore;
  /** Shows the address to the person, in a browser. It holds no secret that outlives the redirect. */
  readonly open: (url: string) => unknown;
  readonly signal?: AbortSignal;
  /** Of the receiver on this machine; any free one by default. */
  readonly port?: number;
}

/**
 * A person allows the use of a skill: authorization code with PKCE (RFC 6749, 7636, 8252). The tokens are kept with the
 * client that the store has for the skill's origin.
 */
export async function authorise(http: Http, descriptor: SkillDescriptor, options: AuthoriseOptions): Promise<void> {
  const { auth, endpoint } = descriptor;
  if (auth.type !== 'oauth2') throw new TypeError('authorise: the skill does not use oauth2');
  const { origin } = new URL(endpoint.url);
  const client = (await options.credentials.find(origin))?.oauth2;
  if (client === undefined) throw new SkillError('AUTH_REQUIRED', { details: { reason: 'no_client', origin } });
  const server = trustedServer(client, auth, origin);
  const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()];
  const receiver = await receiveRedirect(state, options.port);
  try {
    const { redirectUri } = receiver;
    const address = new URL(server.authorization_endpoint);
    const query = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: scopesOf(client, auth).join(' '),
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    await options.open(address.href);
    const redirect = await waitFor(receiver.redirect, options.signal);
    // The descriptor names no issuer that `iss` (RFC 9207) could be compared with; the token address is pinned instead.
    redirect.delete('iss');
    const callback = readCallback(() => validateAuthResponse(server, partyOf(client), redirect, state), origin);
    const grant = { type: 'authorization_code', callback, redirectUri, verifier } as const;
    const { signal } = options;
    const request = { server, client, grant, ...(signal === undefined ? {} : { signal }) };
    const tokens = await requestTokens(http, request, Date.now());
    await options.credentials.saveTokens(origin, tokens, server.token_endpoint);
  } finally {
    receiver.close();
  }
}

/** The library's errors hold the whole redirect, so none of them becomes a `cause`. */
function readCallback(validate: () => URLSearchParams, origin: string): URLSearchParams {
  let reason = 'no_code';
  try {
    const callback = validate();
    // Two of them are nobody's answer.
    if (callback.getAll('code').length === 1 && callback.get('code')) return callback;
  } catch (error) {
    const given = error instanceof AuthorizationResponseError ? error.error : '';
    reason = /^[a-z_]{1,64}$/.test(given) ? given : 'refused';
  }
  throw new SkillError('AUTH_REQUIRED', { details: { reason, origin } });
}

function waitFor<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (error: SkillError) => {
      release();
      reject(error);
    };
    const cancel = () => end(new SkillError('EXECUTION_CANCELLED'));
    const timer = setTimeout(() => end(new SkillError('EXECUTION_TIMEOUT')), WAIT_MS);
    const release = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    };
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    void promise.then((value) => {
      release();
      resolve(value);
    });
  });
}
