import { chainVerifier } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { markOf, storedList } from '@parley/messenger';
import { foldDeviceList } from '@parley/protocol';
import type { SignedAccount } from './account.ts';

/** What a device of the account holds of it: the list it was let in with, and the key (EE-16). No server says it. */
export function knownAccount({ accountId, statements, publicKey }: SignedAccount): Map<string, string> {
  const list = foldDeviceList(statements, { accountId, verify: chainVerifier(nodeCrypto) });
  if (!list.ok) throw new TypeError(`the list: ${list.problem} at ${list.seq}`);
  const pin = { key: publicKey, verified: true, list: markOf(list) };
  return new Map([
    [`pin/account/${accountId}`, JSON.stringify(pin)],
    storedList(accountId, { statements, list, forked: false }),
  ]);
}
