import { keyRoutes } from '@parley/protocol';
import type { Router } from '../http/router.ts';
import type { Platform } from '../platform.ts';
import { findOwner } from './owner.ts';
import { takePrekeyBundles } from './prekey-bundles.ts';
import { readStock } from './store.ts';
import { uploadKeys } from './upload.ts';
import { prekeyBundleToWire, stockToWire } from './wire.ts';

export function registerKeys(router: Router, platform: Platform): void {
  const { db } = platform;

  router.add(keyRoutes.putKeys, async ({ caller, body }) => {
    const owner = await findOwner(db, caller);
    const upload = { signedPrekey: body.signed_prekey, oneTimePrekeys: body.one_time_prekeys };
    return stockToWire(await uploadKeys(platform, owner, upload));
  });

  router.add(keyRoutes.keyStatus, async ({ caller }) => stockToWire(await readStock(db, await findOwner(db, caller))));

  router.add(keyRoutes.takeBundles, async ({ caller, body }) => {
    const targets = { devices: body.devices ?? [], agents: body.agents ?? [] };
    return { bundles: (await takePrekeyBundles(platform, caller, targets)).map(prekeyBundleToWire) };
  });
}
