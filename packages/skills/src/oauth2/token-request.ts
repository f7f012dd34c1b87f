import { type JsonObject, parseJson } from '@parley/documents';
import { FetchError } from '@parley/guarded-fetch';
import type { OAuth2Client, Tokens } from '../auth/store.ts';
import { SkillError } from '../error.ts';
import { isObject } from '../http/answer.ts';
import type { Http } from '../http/http.ts';

/** Of an error answer (RFC 6749, section 5.2); anything else could be a secret sent back. */
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

const BEARER_TOKEN = /^[\w.~+/-]+=*$/;
const MAX_LIFETIME_S = 10 * 365 * 86_400;

export interface TokenRequest {
  readonly url: string;
  readonly client: OAuth2Client;
  readonly form: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One request to a token endpoint (RFC 6749, section 3.2). The reason of a refusal is in `details.reason`. */
export async function requestTokens(http: Http, request: TokenRequest, now: number): Promise<Tokens> {
  const { url, client, form, signal } = request;
  const fields = new URLSearchParams(form);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (client.client_secret === undefined) fields.set('client_id', client.client_id);
  else headers.authorization = basic(client.client_id, client.client_secret);
  let response: Awaited<ReturnType<Http['fetch']>>;
  try {
    response = await http.fetch(url, {
      method: 'POST',
      headers,
      body: fields.toString(),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    throw toError(error);
  }
  const parsed = parseJson(response.body, { maxLength: 256 * 1024 });
  const body: JsonObject = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  if (response.status !== 200) throw refuse(body.error, response.status);
  return readTokens(body, now);
}

/** RFC 6749, section 2.3.1: both parts are form-encoded first. */
function basic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

function readTokens(body: JsonObject, now: number): Tokens {
  const { access_token, token_type, expires_in, refresh_token, scope } = body;
  if (typeof access_token !== 'string' || !BEARER_TOKEN.test(access_token)) throw refuse('invalid_token_response', 200);
  if (typeof token_type !== 'string' || token_type.toLowerCase() !== 'bearer') throw refuse('not_a_bearer_token', 200);
  const lifetime = Number(expires_in);
  const timed = expires_in !== undefined && Number.isFinite(lifetime) && lifetime >= 0;
  return {
    access_token,
    ...(typeof refresh_token === 'string' ? { refresh_token } : {}),
    ...(timed ? { expires_at: now + Math.min(lifetime, MAX_LIFETIME_S) * 1_000 } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
  };
}

function refuse(reason: unknown, status: number): SkillError {
  const ours = status === 200 ? String(reason) : undefined;
  const known = typeof reason === 'string' && KNOWN_ERRORS.has(reason) ? reason : 'token_request_failed';
  return new SkillError('AUTH_REQUIRED', { details: { reason: ours ?? known }, status });
}

function toError(error: unknown): unknown {
  if (!(error instanceof FetchError)) return error;
  if (error.code === 'ADDRESS_BLOCKED') return new SkillError('ADDRESS_BLOCKED', { cause: error });
  if (error.code === 'TIMEOUT') return new SkillError('EXECUTION_TIMEOUT', { cause: error });
  return new SkillError('ENDPOINT_UNREACHABLE', { details: { reason: 'token_url' }, cause: error });
}
