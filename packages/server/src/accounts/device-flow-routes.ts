import { deviceFlowRoutes } from '@parley/protocol';
import { requireHuman } from '../http/caller.ts';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { answerGrant, beginGrant, GRANT_SECONDS, INTERVAL_SECONDS, inspectGrant, pollGrant } from './device-flow.ts';
import { signInWithoutCookies } from './sign-in.ts';

export function registerDeviceFlowRoutes(router: Router, platform: Platform): void {
  router.add(deviceFlowRoutes.deviceCode, async ({ body }) => {
    const { deviceCode, userCode } = await beginGrant(platform, body.client_name);
    const page = new URL('/device', platform.config.publicUrl).href;
    return {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: GRANT_SECONDS,
      interval: INTERVAL_SECONDS,
    };
  });

  router.add(deviceFlowRoutes.deviceToken, async ({ body }) => {
    return signInWithoutCookies(await pollGrant(platform, body.device_code));
  });

  router.add(deviceFlowRoutes.deviceInspect, async ({ caller, body }) => {
    const grant = await inspectGrant(platform, requireHuman(caller).accountId, body.user_code);
    return { client_name: grant.client_name, expires_at: grant.expires_at.toISOString() };
  });

  router.add(deviceFlowRoutes.deviceApprove, async ({ caller, body }) => {
    await answerGrant(platform, requireHuman(caller), { userCode: body.user_code, approve: body.approve });
    return null;
  });
}
