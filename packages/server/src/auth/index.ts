import type { FastifyRequest } from 'fastify';
import { ANONYMOUS, type Caller } from '../http/caller.ts';
import type { Router } from '../http/routes.ts';
import type { Platform } from '../platform.ts';

export interface Auth {
  /** Who a bearer token belongs to. A missing one is anonymous; a wrong, expired or revoked one is a Failure. */
  authenticate(token: string | undefined): Promise<Caller>;
  authenticateRequest(request: FastifyRequest): Promise<Caller>;
  register(router: Router): void;
}

export function createAuth(_platform: Platform): Auth {
  return { authenticate: async () => ANONYMOUS, authenticateRequest: async () => ANONYMOUS, register: () => {} };
}
