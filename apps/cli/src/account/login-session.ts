import { hostname } from 'node:os';
import type { Api } from '@parley/messenger';
import { deviceFlowRoutes, type ReplyOf } from '@parley/protocol';

export type Tokens = ReplyOf<typeof deviceFlowRoutes.deviceToken>;

const MAX_NAME = 64;

/** The name that the list of sessions shows. */
export const sessionName = (program: string): string => `${program} (${hostname()})`.slice(0, MAX_NAME);

/**
 * Creates another session for the signed-in person by approving its own device flow. Refresh tokens rotate: if two
 * programs shared one, the server would treat it as stolen.
 */
export async function createLoginSession(api: Api, program: string): Promise<Tokens> {
  const body = { client_name: sessionName(program) };
  const { user_code, device_code } = await api.call(deviceFlowRoutes.deviceCode, { body });
  await api.call(deviceFlowRoutes.deviceApprove, { body: { user_code, approve: true } });
  return await api.call(deviceFlowRoutes.deviceToken, { body: { device_code } });
}
