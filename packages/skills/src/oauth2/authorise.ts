import { createHash, randomBytes } from 'node:crypto';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { CredentialStore } from '../auth/store.ts';
import { SkillError } from '../error.ts';
import type { Http } from '../http/http.ts';
import { receiveRedirect } from './loopback.ts';
import { requestTokens } from './token-request.ts';
import { scopesOf, tokenUrl } from './tokens.ts';

const WAIT_MS = 300_000;

export interface AuthoriseOptions {
  readonly credentials: CredentialStore;
  /** Shows the address to the person, in a browser. It holds no secret that outlives the redirect. */
  readonly open: (url: string) => unknown;
  readonly signal?: AbortSignal;
  /** Of the receiver on this machine; any free one unless told. */
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
  const url = tokenUrl(client, auth, origin);
  const [state, verifier] = [randomText(), randomText()];
  const receiver = await receiveRedirect(state, options.port);
  try {
    const address = new URL(auth.oauth2!.authorization_url);
    const query = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: receiver.redirectUri,
      scope: scopesOf(client, auth).join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    await options.open(address.href);
    const redirect = await waitFor(receiver.redirect, options.signal);
    if ('error' in redirect)
      throw new SkillError('AUTH_REQUIRED', { details: { reason: shown(redirect.error), origin } });
    const form = {
      grant_type: 'authorization_code',
      code: redirect.code,
      redirect_uri: receiver.redirectUri,
      code_verifier: verifier,
    };
    const { signal } = options;
    const tokens = await requestTokens(
      http,
      { url, client, form, ...(signal === undefined ? {} : { signal }) },
      Date.now(),
    );
    await options.credentials.saveTokens(origin, tokens, url);
  } finally {
    receiver.close();
  }
}

const randomText = () => randomBytes(32).toString('base64url');
const shown = (error: string) => (/^[a-z_]{1,64}$/.test(error) ? error : 'refused');

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
