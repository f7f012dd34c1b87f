/** Whom the credentials of a request belong to. */
export interface VerifiedCaller {
  readonly id: string;
}

/** Undefined where the credentials are missing or wrong. Throws `SkillError` PERMISSION_DENIED where they do not suffice. */
export type Authenticate = (request: Request) => Promise<VerifiedCaller | undefined> | VerifiedCaller | undefined;

export const ANONYMOUS: VerifiedCaller = { id: 'anonymous' };

export function readBearer(request: Request): string | undefined {
  return /^Bearer +([^\s,]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
