import type { FastifyRequest } from 'fastify';
import type { Caller } from '../http/caller.ts';
import { type AuthDeps, authenticate, readBearer } from './authenticate.ts';

export interface Auth {
  /** Finds out whose token it is. A missing one is anonymous; a wrong, expired or revoked one is refused. */
  authenticate(token: string | undefined): Promise<Caller>;
  authenticateRequest(request: FastifyRequest): Promise<Caller>;
}

export function createAuth(deps: AuthDeps): Auth {
  return {
    authenticate: (token) => authenticate(deps, token),
    authenticateRequest: async (request) => authenticate(deps, readBearer(request)),
  };
}
