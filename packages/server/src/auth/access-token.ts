import { jwtVerify, SignJWT } from 'jose';
import type { ServerConfig } from '../config.ts';
import { listTokenSecrets, type TokenSecrets } from './token-secrets.ts';

export const ACCESS_SECONDS = 5 * 60;
const ALGORITHM = 'HS256';
const AUDIENCE = 'parley';

export interface AccessClaims {
  readonly accountId: string;
  readonly sessionId: string;
}

type Secrets = TokenSecrets & Pick<ServerConfig, 'publicUrl'>;

export function signAccessToken({ tokenSecret, publicUrl }: Secrets, claims: AccessClaims, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000);
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(publicUrl)
    .setAudience(AUDIENCE)
    .setSubject(claims.accountId)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ACCESS_SECONDS)
    .sign(tokenSecret);
}

/** Returns undefined for a token that this server did not sign, or that has expired. */
export async function readAccessToken(config: Secrets, token: string, now: Date): Promise<AccessClaims | undefined> {
  for (const secret of listTokenSecrets(config)) {
    const claims = await verify(secret, config.publicUrl, { token, now });
    if (claims !== undefined) return claims;
  }
  return undefined;
}

async function verify(
  secret: Uint8Array,
  publicUrl: string,
  { token, now }: { readonly token: string; readonly now: Date },
): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      // The algorithm is pinned: the token's own header does not choose how it is verified.
      algorithms: [ALGORITHM],
      issuer: publicUrl,
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
    });
    const { sub, sid } = payload;
    return typeof sub === 'string' && typeof sid === 'string' ? { accountId: sub, sessionId: sid } : undefined;
  } catch {
    return undefined;
  }
}
