import { canonicalise } from '@parley/documents';
import {
  type DeviceStatement,
  deviceStatementBytes,
  headName,
  type KeyBox,
  type ListedDevice,
  type Unsigned,
  type Verify,
} from '@parley/protocol';
import { fromBase64Url, isEqual, toBase64Url, toHex, utf8 } from '../bytes.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { unwrapSecret, wrapSecret } from '../wrap.ts';
import { verifyBytes } from './statement.ts';

// Makes and verifies statements of the device list (EE-17, EE-18). The protocol package folds the list itself.

type Create = Extract<DeviceStatement, { action: 'create' }>;
type Later = Exclude<DeviceStatement, Create>;

/** `next` is the account key that the statement rotates to, if it does: whoever rotates proves to hold it. */
export function signDeviceStatement<S extends Unsigned<Later>>(
  crypto: Crypto,
  statement: S,
  { privateKey, next }: KeyPair & { readonly next?: KeyPair | undefined },
): S & Signatures<S> {
  const bytes = deviceStatementBytes(statement);
  const sign = (key: Uint8Array) => toBase64Url(crypto.sign(key, bytes));
  const proof = next === undefined ? {} : { next_signature: sign(next.privateKey) };
  return { ...statement, signature: sign(privateKey), ...proof } as S & Signatures<S>;
}

type Signatures<S> = { signature: string } & (S extends { rotation: object } ? { next_signature: string } : unknown);

/** The first statement is signed by both keys: by the recovery key so that nobody else can name it. */
export function signDeviceList(
  crypto: Crypto,
  statement: Omit<Unsigned<Create>, 'account_key' | 'recovery_key'>,
  { accountKey, recoveryKey }: { accountKey: KeyPair; recoveryKey: KeyPair },
): Create {
  const whole = {
    ...statement,
    account_key: toBase64Url(accountKey.publicKey),
    recovery_key: toBase64Url(recoveryKey.publicKey),
  };
  const bytes = deviceStatementBytes(whole);
  return {
    ...whole,
    signature: toBase64Url(crypto.sign(accountKey.privateKey, bytes)),
    recovery_signature: toBase64Url(crypto.sign(recoveryKey.privateKey, bytes)),
  };
}

/** The `verify` function for all signed chains. */
export function chainVerifier(crypto: Crypto): Verify {
  return (publicKey, bytes, signature) => verifyBytes(crypto, bytes, { publicKey, signature });
}

interface BoxContext {
  readonly accountId: string;
  /** The public half of what is in the box. */
  readonly accountKey: string;
}

function boxAad({ accountId, accountKey }: BoxContext, deviceId: string): Uint8Array {
  const statement = { purpose: 'parley-account-key-box-v1', account_id: accountId, account_key: accountKey };
  return utf8(canonicalise({ ...statement, device_id: deviceId }));
}

/** Seals the private account key for a keeper. Undefined if its exchange key is of low order. */
export function boxAccountKey(
  crypto: Crypto,
  pair: KeyPair,
  to: { accountId: string; device: Pick<ListedDevice, 'device_id' | 'exchange_key'> },
): KeyBox | undefined {
  const { device_id, exchange_key } = to.device;
  const aad = boxAad({ accountId: to.accountId, accountKey: toBase64Url(pair.publicKey) }, device_id);
  const sealed = wrapSecret(crypto, pair.privateKey, { publicKey: fromBase64Url(exchange_key)!, aad });
  return sealed && { device_id, enc: toBase64Url(sealed.enc), ciphertext: toBase64Url(sealed.ciphertext) };
}

/** Undefined unless the box holds the private half of exactly this account key. */
export function unboxAccountKey(
  crypto: Crypto,
  box: KeyBox,
  { exchange, ...context }: BoxContext & { exchange: KeyPair },
): KeyPair | undefined {
  const [enc, ciphertext, publicKey] = [box.enc, box.ciphertext, context.accountKey].map(fromBase64Url);
  if (enc === undefined || ciphertext === undefined || publicKey === undefined) return undefined;
  const privateKey = unwrapSecret(crypto, { enc, ciphertext }, { own: exchange, aad: boxAad(context, box.device_id) });
  if (privateKey === undefined || !isEqual(crypto.ed25519PublicKey(privateKey), publicKey)) return undefined;
  return { publicKey, privateKey };
}

/** Names the chains that the signer knows, among random names up to a power of two: their number says little. */
export function nameHeads(
  crypto: Crypto,
  chains: readonly { kind: 'ledger' | 'group'; id: string; length: number; head: string }[],
): { salt: string; heads: string[] } {
  const salt = toBase64Url(crypto.randomBytes(16));
  const heads = chains.map((chain) => headName(salt, chain));
  const size = 2 ** Math.max(3, Math.ceil(Math.log2(Math.max(1, heads.length))));
  while (heads.length < size) heads.push(toHex(crypto.randomBytes(16)));
  return { salt, heads: heads.sort() };
}
