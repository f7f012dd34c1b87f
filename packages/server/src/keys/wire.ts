import type { keyRoutes, ReplyOf } from '@parley/protocol';
import type { PrekeyBundle } from './prekey-bundles.ts';
import type { readStock } from './store.ts';

type WireBundle = ReplyOf<typeof keyRoutes.takeBundles>['bundles'][number];

export function prekeyBundleToWire(bundle: PrekeyBundle): WireBundle {
  return {
    kind: bundle.kind,
    id: bundle.id,
    identity_key: bundle.identityKey,
    exchange_key: bundle.exchangeKey,
    signed_prekey: bundle.signedPrekey,
    one_time_prekey: bundle.oneTimePrekey,
  };
}

export function stockToWire(stock: Awaited<ReturnType<typeof readStock>>) {
  return {
    one_time_prekeys: stock.left,
    next_key_id: stock.last_key_id + 1,
    signed_prekey_id: stock.signed_prekey_id,
  };
}
