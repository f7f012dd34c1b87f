import { isParleyError } from '@parley/base';
import type { SkillDescriptor } from '@parley/documents/skill';
import type { CredentialStore } from '../credentials/store.ts';
import type { Redactor } from '../http/redact.ts';
import type { GetAccessToken } from '../oauth2/tokens.ts';
import { SkillError } from '../skill-error.ts';
import { placeParameters } from './custom.ts';

export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Returns the headers that sign a request, for `auth.type: "custom"`. Without it, the stored parameters are sent as
 * they are.
 */
export type SignRequest = (
  request: UnsignedRequest,
  custom: NonNullable<SkillDescriptor['auth']['custom']>,
) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;

export interface AuthoriserOptions {
  readonly descriptor: SkillDescriptor;
  readonly credentials?: CredentialStore;
  readonly sign?: SignRequest;
  readonly getAccessToken: GetAccessToken;
  readonly redact: Redactor;
  readonly race: <T>(promise: Promise<T>) => Promise<T>;
}

export interface Authoriser {
  /** Returns the headers with the credentials; none for another origin than the skill's own (SI-2). */
  authorise(request: UnsignedRequest): Promise<Readonly<Record<string, string>> | undefined>;
  /** Called after a refusal. Returns whether there is another token to try, once. */
  renew(): Promise<boolean>;
}

export function createAuthoriser(options: AuthoriserOptions): Authoriser {
  const { descriptor, credentials, sign, redact, race } = options;
  const { auth, endpoint } = descriptor;
  const origin = auth.type === 'none' ? '' : new URL(endpoint.url).origin;
  let used: string | undefined;
  let renewed = false;

  const apiKey = async () => {
    const key = (await credentials?.find(origin))?.api_key;
    if (key === undefined) throw missing(origin);
    redact.add(key);
    return { [auth.header!.toLowerCase()]: key };
  };
  const bearer = async (refused?: string) => {
    if (credentials === undefined) throw missing(origin);
    const request = { origin, auth, store: credentials, ...(refused === undefined ? {} : { refused }) };
    used = await race(options.getAccessToken(request));
    redact.add(used);
    return { authorization: `Bearer ${used}` };
  };
  const listed = async () => {
    const { parameters } = auth.custom!;
    if (!Array.isArray(parameters)) throw missing(origin);
    const values = (await credentials?.find(origin))?.custom ?? {};
    for (const value of Object.values(values)) redact.add(value);
    const placed = placeParameters(parameters, values);
    if (placed.inUrl.length > 0) throw missing(origin, { reason: 'credential_in_url', parameters: placed.inUrl });
    if (placed.missing.length > 0) throw missing(origin, { parameters: placed.missing });
    return placed.headers;
  };
  const custom = async (request: UnsignedRequest) => {
    const headers = sign === undefined ? await listed() : await sign(request, auth.custom!);
    for (const value of Object.values(headers)) redact.add(value);
    return headers;
  };

  return {
    authorise: async (request) => {
      if (auth.type === 'none' || new URL(request.url).origin !== origin) return undefined;
      if (auth.type === 'api_key') return apiKey();
      return auth.type === 'oauth2' ? bearer() : custom(request);
    },
    renew: async () => {
      if (auth.type !== 'oauth2' || renewed || used === undefined) return false;
      renewed = true;
      const before = used;
      try {
        await bearer(before);
      } catch (error) {
        if (isParleyError(error, 'AUTH_REQUIRED')) return false;
        throw error;
      }
      return used !== before;
    },
  };
}

function missing(origin: string, more: Readonly<Record<string, unknown>> = {}): SkillError {
  return new SkillError('AUTH_REQUIRED', { details: { reason: 'no_credentials', origin, ...more } });
}
