import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { SkillError } from '../../skill-error.ts';
import { type Authenticate, readBearer, type VerifiedCaller } from './caller.ts';

export interface BearerOptions {
  readonly issuer: string;
  /** The audience of the token: this skill, or the provider's whole API. */
  readonly audience: string;
  /** The address of the issuer's keys, or the keys themselves. */
  readonly jwks: string | JSONWebKeySet;
  /** All of these must have been granted. */
  readonly scopes: readonly string[];
}

/** `none` and symmetric algorithms are excluded: whoever can verify must not be able to issue. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const CLOCK_TOLERANCE_S = 5;

/** Checks OAuth 2.0 access tokens that are JWTs (RFC 9068). */
export function createBearerCheck({ issuer, audience, jwks, scopes }: BearerOptions): Authenticate {
  if (issuer === '' || audience === '') throw new TypeError('oauth2: issuer and audience must not be empty');
  const keys = typeof jwks === 'string' ? createRemoteJWKSet(new URL(jwks)) : createLocalJWKSet(jwks);
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: ['exp', 'sub'],
  };
  return async (request) => {
    const token = readBearer(request);
    if (token === undefined) return undefined;
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, keys, options));
    } catch (error) {
      if (isUnreachable(error)) throw new SkillError('ENDPOINT_UNREACHABLE', { cause: error });
      return undefined;
    }
    const granted = readScopes(payload);
    if (!scopes.every((scope) => granted.has(scope))) throw new SkillError('PERMISSION_DENIED');
    return { id: payload.sub! } satisfies VerifiedCaller;
  };
}

/** If the keys could not be fetched, the token may be good, and the caller should try again. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';
}

function readScopes({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const listed = Array.isArray(scp) ? scp : String(scope ?? scp ?? '').split(' ');
  return new Set(listed.filter((name): name is string => typeof name === 'string'));
}
