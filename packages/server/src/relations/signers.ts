import { listedSigner, type Signer } from '@parley/protocol';
import { readDeviceList } from '../keys/device-list.ts';
import type { Trx } from '../storage/database.ts';

/**
 * Finds whose entries count in a ledger: by the account's device list, and for devices of before there was one, revoked
 * or not, by their certificates (EE-14).
 */
export async function readSigners(
  trx: Trx,
  accountId: string,
  chain: { readonly kind: 'ledger'; readonly id: string },
): Promise<(deviceId: string) => Signer | undefined> {
  const list = await readDeviceList(trx, accountId);
  const rows = await trx
    .selectFrom('devices')
    .select(['id', 'identity_key'])
    .where('account_id', '=', accountId)
    .where('certificate', 'is not', null)
    .execute();
  const certified = new Map(rows.map(({ id, identity_key }) => [id, { key: identity_key }]));
  return (deviceId) => (list && listedSigner(list, deviceId, chain)) ?? certified.get(deviceId);
}
