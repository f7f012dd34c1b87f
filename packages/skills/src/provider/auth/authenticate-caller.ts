import { isParleyError } from '@parley/base';
import type { SkillDescriptor } from '@parley/documents/skill';
import { SkillError } from '../../skill-error.ts';
import { HttpError } from '../http/http-error.ts';
import { type ApiKey, createKeyCheck } from './api-keys.ts';
import { type BearerOptions, createBearerCheck } from './bearer.ts';
import { ANONYMOUS, type Authenticate, type VerifiedCaller } from './caller.ts';

export interface AuthenticationOptions {
  /** Required for `auth.type: "api_key"`. */
  readonly apiKeys?: readonly ApiKey[];
  /** Required for `auth.type: "oauth2"`. */
  readonly oauth2?: BearerOptions;
  /** Required for `auth.type: "custom"`; replaces the options above. */
  readonly authenticate?: Authenticate;
  /** Decides which callers with good credentials may use the skill. By default all may. */
  readonly entitled?: (caller: VerifiedCaller) => boolean | Promise<boolean>;
}

/** Returns the caller. Throws for callers who may not use the skill; a private one does not exist for them (SD-8). */
export type AuthenticateCaller = (request: Request) => Promise<VerifiedCaller>;

export function createCallerAuthentication(
  { auth, access }: SkillDescriptor,
  options: AuthenticationOptions,
): AuthenticateCaller {
  const { entitled = () => true } = options;
  const authenticate = chooseCheck(auth, options);
  const admit: AuthenticateCaller = async (request) => {
    const caller = await authenticate(request);
    if (caller === undefined) throw challenge(auth);
    if (!(await entitled(caller))) throw new SkillError('PERMISSION_DENIED');
    return caller;
  };
  if (access !== 'private') return admit;
  return async (request) => {
    try {
      return await admit(request);
    } catch (error) {
      throw isParleyError(error, 'AUTH_REQUIRED', 'PERMISSION_DENIED') ? new SkillError('SKILL_NOT_FOUND') : error;
    }
  };
}

function chooseCheck(auth: SkillDescriptor['auth'], options: AuthenticationOptions): Authenticate {
  const { apiKeys, oauth2, authenticate } = options;
  if (authenticate !== undefined) return authenticate;
  switch (auth.type) {
    case 'none':
      return () => ANONYMOUS;
    case 'api_key':
      if (apiKeys === undefined) throw new TypeError('serveSkill: auth is api_key, so options.apiKeys is needed');
      return createKeyCheck(auth.header!, apiKeys);
    case 'oauth2':
      if (oauth2 === undefined) throw new TypeError('serveSkill: auth is oauth2, so options.oauth2 is needed');
      return createBearerCheck(oauth2);
    case 'custom':
      throw new TypeError('serveSkill: auth is custom, so options.authenticate is needed');
  }
}

function challenge({ type, header }: SkillDescriptor['auth']): HttpError {
  const scheme = type === 'api_key' ? `ApiKey header="${header}"` : type === 'oauth2' ? 'Bearer' : 'Custom';
  return new HttpError('AUTH_REQUIRED', { headers: { 'www-authenticate': scheme } });
}
