import { type Crypto, chainVerifier } from '@parley/e2ee';
import type { SeenList } from '@parley/messenger';
import { type DeviceStatement, foldDeviceList } from '@parley/protocol';
import { clientError } from '../errors.ts';

/** Verifies a list of this account that came from one of its own devices. */
export function foldOwnList(crypto: Crypto, accountId: string, statements: readonly DeviceStatement[]): SeenList {
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(crypto) });
  if (!list.ok) throw clientError('LIST_REFUSED');
  return { statements, list, forked: false };
}
