/**
 * The y coordinates of Edwards25519's points of small order (those of 1, 2, 4 and 8, and the two spellings that are not
 * reduced). A signature under such a key fits many messages; OpenSSL accepts it, noble does not, so clients and
 * server ask here: what one of them accepts in a chain and another does not would end it.
 */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

export function hasSmallOrder(publicKey: Uint8Array): boolean {
  // Nearly every key is told apart by its second byte.
  if (![0x00, 0xe8, 0x17, 0xff].includes(publicKey[1]!)) return false;
  const hex = Array.from(publicKey, (byte, index) => (index === 31 ? byte & 0x7f : byte).toString(16).padStart(2, '0'));
  return SMALL_ORDER.has(hex.join(''));
}
