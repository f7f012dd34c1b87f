import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalise, type JsonObject } from '@parley/documents';

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function makeKeys(kind: 'ed25519' | 'x25519'): KeyPair {
  const { publicKey, privateKey } = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x!, privateKey };
}

export function signStatement(statement: JsonObject, { privateKey }: KeyPair): string {
  return sign(null, Buffer.from(canonicalise(statement)), privateKey).toString('base64url');
}

export interface DeviceKeys {
  readonly identity: KeyPair;
  readonly exchange: KeyPair;
}

export function makeDeviceKeys(): DeviceKeys {
  return { identity: makeKeys('ed25519'), exchange: makeKeys('x25519') };
}
