import { hostname } from 'node:os';
import { proveDevice, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type Api, loadOwnKeys, type Store } from '@parley/messenger';
import { deviceRoutes } from '@parley/protocol';

/** Binds the session of the other commands to this device, so that revoking the device ends it. */
export async function bindSession(api: Api, store: Store, me: { user_id: string; session_id: string }): Promise<void> {
  const keys = await loadOwnKeys(store);
  if (keys === undefined) return;
  const { identity, exchange } = keys;
  await api.call(deviceRoutes.addDevice, {
    body: {
      name: deviceName(),
      identity_key: toBase64Url(identity.publicKey),
      exchange_key: toBase64Url(exchange.publicKey),
      proof: proveDevice(nodeCrypto, identity, { accountId: me.user_id, sessionId: me.session_id }),
    },
  });
}

export const deviceName = (): string => hostname().slice(0, 64) || 'parley';
