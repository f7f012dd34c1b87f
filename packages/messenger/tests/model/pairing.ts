import { makePairingCode, pairingRequest, sealWelcome } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import type { Rules } from './rules.ts';
import type { ListNode } from './statements.ts';
import { ACCOUNT, type Device, keysOf } from './symbols.ts';

/** Pairing with the product's own functions. The adversary knows everything but the code. */
export function createPairing(rules: Rules) {
  const code = makePairingCode(nodeCrypto);
  const guess = makePairingCode(nodeCrypto);
  const pairedKeys = (device: Device) => {
    const { identity_key, exchange_key } = keysOf(device);
    return { accountId: ACCOUNT, identityKey: identity_key, exchangeKey: exchange_key };
  };
  const request = pairingRequest(nodeCrypto, code, pairedKeys('N'))!;
  const opened = new Map<string, boolean>();

  /** Does N take a welcome with this list, sealed by someone who knows the code, or does not? */
  function opens({ head, list }: ListNode, { knowsCode }: { knowsCode: boolean }): boolean {
    const key = `${head} ${knowsCode}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    const sealing = { code: knowsCode ? code : guess, ...pairedKeys('N') };
    const sealed = sealWelcome(nodeCrypto, new TextEncoder().encode(head), sealing)!;
    const plaintext = rules.openWelcome(nodeCrypto, sealed, { code, ...pairedKeys('N') });
    const isRead = plaintext !== undefined;
    const device = list?.devices.get(keysOf('N').device_id);
    const takes = isRead && device?.identity_key === keysOf('N').identity_key;
    opened.set(key, takes);
    return takes;
  }

  /** Does a keeper, where the code was typed, let in a device with these keys? */
  const mayAdd = (device: Device) => rules.isPairingRequest(nodeCrypto, request, { code, ...pairedKeys(device) });
  return { opens, mayAdd: { N: mayAdd('N'), G: mayAdd('G') } };
}
