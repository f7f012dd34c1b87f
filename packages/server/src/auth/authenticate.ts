import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Caller } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { readAccessToken } from './access-token.ts';
import { findAgentByToken, PREFIX } from './agent-token.ts';
import { findLiveSession } from './session-store.ts';

export type AuthDeps = Pick<Platform, 'config' | 'db' | 'now'>;

const MAX_TOKEN = 2_000;

/** Finds out whose token it is. A missing one is anonymous; a wrong, expired or revoked one is refused. */
export async function authenticate(deps: AuthDeps, token: string | undefined): Promise<Caller> {
  if (token === undefined) return ANONYMOUS;
  const caller = token.length > MAX_TOKEN ? undefined : await findCaller(deps, token);
  if (caller === undefined) throw new RequestError('UNAUTHENTICATED');
  return caller;
}

async function findCaller(deps: AuthDeps, token: string): Promise<Caller | undefined> {
  const { config, db } = deps;
  const now = deps.now();
  if (token.startsWith(PREFIX)) {
    const agent = await findAgentByToken(db, token, now);
    return agent && { kind: 'agent', ...agent };
  }
  const claims = await readAccessToken(config, token, now);
  if (claims === undefined) return undefined;
  // The signature says whose session it was; only the database knows whether it was revoked.
  const session = await findLiveSession(db, claims.sessionId, now);
  if (session === undefined || session.account_id !== claims.accountId) return undefined;
  const { account_id, device_id, role } = session;
  return {
    kind: 'human',
    accountId: account_id,
    sessionId: session.id,
    role,
    ...(device_id === null ? {} : { deviceId: device_id }),
  };
}

export function readBearer({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [, token] = /^Bearer +([^ ]+) *$/i.exec(authorization) ?? [];
  if (token === undefined) throw new RequestError('UNAUTHENTICATED');
  return token;
}
