import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

type Hash = (data: string | Uint8Array) => string;

interface Host {
  readonly process?: {
    getBuiltinModule?(
      id: 'node:crypto',
    ): { hash?(algorithm: 'sha256', data: string | Uint8Array, encoding: 'hex'): string } | undefined;
  };
}

const portable: Hash = (data) => bytesToHex(sha256(typeof data === 'string' ? utf8ToBytes(data) : data));

/** Uses Node's own SHA-256 if the host has it (an import would break browsers), otherwise the portable one. */
export function selectSha256(host: Host): Hash {
  const hash = host.process?.getBuiltinModule?.('node:crypto')?.hash;
  return hash ? (data) => hash('sha256', data, 'hex') : portable;
}

/** Returns the lowercase hex SHA-256 of bytes, or of the UTF-8 bytes of a text. */
export const sha256Hex: Hash = selectSha256(globalThis as Host);
