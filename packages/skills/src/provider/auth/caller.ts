/** The owner of a request's credentials. */
export interface VerifiedCaller {
  readonly id: string;
}

/**
 * Returns undefined if the credentials are missing or wrong. Throws `SkillError` PERMISSION_DENIED if they do not
 * suffice.
 */
export type Authenticate = (request: Request) => Promise<VerifiedCaller | undefined> | VerifiedCaller | undefined;

export const ANONYMOUS: VerifiedCaller = { id: 'anonymous' };

export function readBearer(request: Request): string | undefined {
  return /^Bearer +([^\s,]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
