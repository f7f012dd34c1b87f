import { isJsonObject, type JsonObject, parseJson } from '@parley/documents';
import type { SkillAuth } from '@parley/documents/skill';
import type { GuardedResponse } from '@parley/guarded-fetch';
import {
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  clientCredentialsGrantRequest,
  customFetch,
  HTTP_REQUEST_FORBIDDEN,
  None,
  OperationProcessingError,
  processGenericTokenEndpointResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
  UnsupportedOperationError,
} from 'oauth4webapi';
import type { OAuth2Client, Tokens } from '../credentials/store.ts';
import { fromFetchError } from '../http/fetch-error.ts';
import type { Http } from '../http/http.ts';
import { SkillError } from '../skill-error.ts';

/** Error codes of a token endpoint (RFC 6749, section 5.2). Any other text could be a secret sent back. */
const KNOWN_ERRORS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'access_denied',
  'invalid_target',
  'server_error',
  'temporarily_unavailable',
]);

const MAX_ANSWER_LENGTH = 256 * 1024;
const BEARER_TOKEN = /^[\w.~+/-]+=*$/;
const MAX_LIFETIME_S = 10 * 365 * 86_400;

export type Grant =
  | {
      readonly type: 'authorization_code';
      /** From `validateAuthResponse`. */
      readonly callback: URLSearchParams;
      readonly redirectUri: string;
      readonly verifier: string;
    }
  | { readonly type: 'refresh_token'; readonly refreshToken: string }
  | { readonly type: 'client_credentials'; readonly scope: string };

export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: OAuth2Client;
  readonly grant: Grant;
  readonly signal?: AbortSignal;
}

/** A descriptor names no issuer, so the token address stands in for it and nothing is compared with it. */
export function describeServer({ authorization_url, token_url }: NonNullable<SkillAuth['oauth2']>) {
  return {
    issuer: token_url,
    authorization_endpoint: authorization_url,
    token_endpoint: token_url,
  } satisfies AuthorizationServer;
}

/** The client as oauth4webapi knows it: by its id alone. */
export const partyOf = ({ client_id }: OAuth2Client): Client => ({ client_id });

/** One request to a token endpoint (RFC 6749, section 3.2). The reason of a refusal is in `details.reason`. */
export async function requestTokens(http: Http, request: TokenRequest, now: number): Promise<Tokens> {
  const { server, client, grant, signal } = request;
  let status = 0;
  const options: TokenEndpointRequestOptions = {
    // Where plain HTTP may go is for the guard to say (SI-6); without development it goes nowhere.
    [allowInsecureRequests]: http.development,
    [customFetch]: async (url, { method, headers, body, signal: cancelled }) => {
      const response = await http.fetch(url, {
        method,
        headers,
        body: String(body),
        ...(cancelled === undefined ? {} : { signal: cancelled }),
      });
      status = response.status;
      return toWebResponse(response);
    },
    ...(signal === undefined ? {} : { signal }),
  };
  let response: Response;
  try {
    response = await sendGrant({ server, client, grant }, options);
  } catch (error) {
    throw toSendError(error);
  }
  let granted: TokenEndpointResponse;
  try {
    granted = await processGenericTokenEndpointResponse(server, partyOf(client), response);
  } catch (error) {
    throw refuse(reasonOf(error, status), status);
  }
  return toTokens(granted, now);
}

function sendGrant({ server, client, grant }: TokenRequest, options: TokenEndpointRequestOptions): Promise<Response> {
  const party = partyOf(client);
  const authenticate = client.client_secret === undefined ? None() : secretBasic(client.client_secret);
  switch (grant.type) {
    case 'authorization_code': {
      const { callback, redirectUri, verifier } = grant;
      return authorizationCodeGrantRequest(server, party, authenticate, callback, redirectUri, verifier, options);
    }
    case 'refresh_token':
      return refreshTokenGrantRequest(server, party, authenticate, grant.refreshToken, options);
    case 'client_credentials':
      return clientCredentialsGrantRequest(server, party, authenticate, { scope: grant.scope }, options);
  }
}

/**
 * RFC 6749, section 2.3.1: both parts are form-encoded first. `ClientSecretBasic` also encodes hyphens and full stops,
 * and servers that forget to decode would no longer know a client whose id is a UUID.
 */
function secretBasic(secret: string): ClientAuth {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${btoa(`${encode(client_id)}:${encode(secret)}`)}`);
  };
}

/**
 * The answer as oauth4webapi takes it, read by our strict parser. Members that are null count as absent, as many servers
 * mean them. An ID token is left out: there is no issuer to check it against, and nothing uses it.
 */
function toWebResponse({ status, body, truncated }: GuardedResponse): Response {
  const parsed = truncated ? undefined : parseJson(body, { maxLength: MAX_ANSWER_LENGTH });
  const value: JsonObject = parsed?.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const members = Object.entries(value).filter(([name, member]) => member !== null && name !== 'id_token');
  // A `Response` cannot have every status that a socket can; only these mean something at a token endpoint.
  const known = status === 200 || (status >= 400 && status < 500);
  return Response.json(Object.fromEntries(members), { status: known ? status : 500 });
}

/** The library's errors hold the whole answer, so none of them becomes a `cause`. */
function reasonOf(error: unknown, status: number): string {
  if (error instanceof ResponseBodyError && KNOWN_ERRORS.has(error.error)) return error.error;
  if (error instanceof UnsupportedOperationError) return 'not_a_bearer_token';
  return status === 200 ? 'invalid_token_response' : 'token_request_failed';
}

function toTokens({ access_token, token_type, expires_in, refresh_token, scope }: TokenEndpointResponse, now: number) {
  // The library also takes DPoP tokens, and any text for a token.
  if (token_type !== 'bearer') throw refuse('not_a_bearer_token', 200);
  if (!BEARER_TOKEN.test(access_token)) throw refuse('invalid_token_response', 200);
  return {
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(expires_in === undefined ? {} : { expires_at: now + Math.min(expires_in, MAX_LIFETIME_S) * 1_000 }),
    ...(scope === undefined ? {} : { scope }),
  };
}

const refuse = (reason: string, status: number) => new SkillError('AUTH_REQUIRED', { details: { reason }, status });

function toSendError(error: unknown): SkillError {
  if (!(error instanceof OperationProcessingError)) return fromFetchError(error, 'token_url');
  if (error.code === HTTP_REQUEST_FORBIDDEN) return new SkillError('ADDRESS_BLOCKED');
  return new SkillError('AUTH_REQUIRED', { details: { reason: 'token_request_failed' } });
}
