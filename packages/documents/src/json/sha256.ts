import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

type HashText = (text: string) => string;

interface Host {
  readonly process?: {
    getBuiltinModule?(
      id: 'node:crypto',
    ): { hash?(algorithm: 'sha256', data: string, encoding: 'hex'): string } | undefined;
  };
}

const portable: HashText = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** Node's own SHA-256 where the host has it (an import would break browsers), else the portable one. */
export function selectSha256(host: Host): HashText {
  const hash = host.process?.getBuiltinModule?.('node:crypto')?.hash;
  return hash ? (text) => hash('sha256', text, 'hex') : portable;
}

/** Lowercase hex SHA-256 of the text's UTF-8 bytes. */
export const sha256Hex: HashText = selectSha256(globalThis as Host);
