import type { FastifyRequest } from 'fastify';
import { registerDeviceFlowRoutes } from '../accounts/device-flow-routes.ts';
import { registerDeviceRoutes } from '../accounts/device-routes.ts';
import { registerPasskeyRoutes } from '../accounts/passkey-routes.ts';
import { registerAuthRoutes } from '../accounts/routes.ts';
import type { Caller } from '../http/caller.ts';
import type { Router } from '../http/router.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Platform } from '../platform.ts';
import { authenticate, readBearer } from './authenticate.ts';

export interface Auth {
  /** Who a bearer token belongs to. A missing one is anonymous; a wrong, expired or revoked one is a Failure. */
  authenticate(token: string | undefined): Promise<Caller>;
  authenticateRequest(request: FastifyRequest): Promise<Caller>;
  register(router: Router): void;
}

export function createAuth(platform: Platform): Auth {
  const mailer = createMailer(platform.config, platform.log);
  return {
    authenticate: (token) => authenticate(platform, token),
    authenticateRequest: async (request) => authenticate(platform, readBearer(request)),
    register: (router) => {
      registerAuthRoutes(router, platform, mailer);
      registerPasskeyRoutes(router, platform);
      registerDeviceFlowRoutes(router, platform);
      registerDeviceRoutes(router, platform);
    },
  };
}
