import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import type { Owner } from './owner.ts';
import { isSigned } from './signature.ts';
import {
  addOneTimePrekeys,
  findSignedPrekey,
  lockStock,
  type OneTimePrekey,
  readStock,
  type SignedPrekey,
  setSignedPrekey,
} from './store.ts';

const MAX_KEPT = 100;

export interface Upload {
  readonly signedPrekey: SignedPrekey;
  readonly oneTimePrekeys: readonly OneTimePrekey[];
}

/**
 * Stores what is new. Ids of one-time keys only rise, so a key that was given away never comes back, and an upload
 * whose reply got lost can be sent again.
 */
export function uploadKeys(platform: Platform, owner: Owner & { readonly identityKey: string }, upload: Upload) {
  const { signature, ...signed } = upload.signedPrekey;
  const { key_id, public_key } = signed;
  if (!isSigned({ purpose: 'parley-signed-prekey-v1', key_id, public_key }, signature, owner.identityKey)) {
    throw new RequestError('SIGNATURE_INVALID', { path: '/signed_prekey/signature' });
  }
  return platform.db.transaction().execute(async (trx) => {
    const last = await lockStock(trx, owner);
    const current = await findSignedPrekey(trx, owner);
    // An older key would bring back one whose private half may have been deleted or stolen.
    if (current === undefined || key_id > current.key_id) {
      await setSignedPrekey(trx, owner, upload.signedPrekey, platform.now());
    }
    const fresh = new Map(upload.oneTimePrekeys.filter((key) => key.key_id > last).map((key) => [key.key_id, key]));
    const { left } = await readStock(trx, owner);
    const rising = [...fresh.values()].sort((a, b) => a.key_id - b.key_id);
    await addOneTimePrekeys(trx, owner, rising.slice(0, MAX_KEPT - left));
    return readStock(trx, owner);
  });
}
