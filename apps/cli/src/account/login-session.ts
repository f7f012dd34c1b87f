import { hostname } from 'node:os';
import type { Api } from '@parley/messenger';
import { deviceFlowRoutes, type ReplyOf } from '@parley/protocol';

export type Tokens = ReplyOf<typeof deviceFlowRoutes.deviceToken>;

const MAX_NAME = 64;

/** As the list of sessions shows it. */
export const sessionName = (program: string): string => `${program} (${hostname()})`.slice(0, MAX_NAME);

/**
 * Another session of whoever is signed in, by approving a device flow of one's own. Refresh tokens rotate: two programs
 * with the same one would take each other for thieves, so each has its own.
 */
export async function createLoginSession(api: Api, program: string): Promise<Tokens> {
  const body = { client_name: sessionName(program) };
  const { user_code, device_code } = await api.call(deviceFlowRoutes.deviceCode, { body });
  await api.call(deviceFlowRoutes.deviceApprove, { body: { user_code, approve: true } });
  return await api.call(deviceFlowRoutes.deviceToken, { body: { device_code } });
}
