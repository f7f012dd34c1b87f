import type { Router } from '../http/router.ts';
import { createMailer } from '../mail/mailer.ts';
import type { Platform } from '../platform.ts';
import type { AccountDeps } from './deps.ts';
import { registerDeviceFlowRoutes } from './device-flow-routes.ts';
import { registerDeviceRoutes } from './device-routes.ts';
import { registerPasskeyRoutes } from './passkey-routes.ts';
import { createPasswords } from './password.ts';
import { registerAccountRoutes } from './routes.ts';

export function registerAccounts(router: Router, platform: Platform): void {
  const deps: AccountDeps = {
    ...platform,
    passwords: createPasswords({ cost: platform.config.passwordCost }),
    mailer: createMailer(platform.config, platform.log),
  };
  registerAccountRoutes(router, deps);
  registerPasskeyRoutes(router, platform);
  registerDeviceFlowRoutes(router, platform);
  registerDeviceRoutes(router, platform);
}
