import { createHash } from 'node:crypto';
import type { ListedDevice, Verify } from '@parley/protocol';

// Signatures are tokens that name a key and what it signed. Nobody takes one apart, so a party signs with the keys it
// holds, and verifying is comparing. Everything else is as in the product.

export const ACCOUNT = '01900000-0000-7000-8000-00000000acc1';
export const AGENT = '01900000-0000-7000-8000-00000000a6e7';
export const RELATION = '01900000-0000-7000-8000-000000000e1a';
export const CONVERSATION = '01900000-0000-7000-8000-00000000c0de';

/** A and B are honest, T is stolen at some time, N is new, G is a ghost of whoever has stolen T. */
export type Device = 'A' | 'B' | 'T' | 'N' | 'G';

export const RECOVERY_KEY = 'recovery key';
/** Keys that the adversary made. */
export const EVIL_KEY = 'evil key';
export const EVIL_RECOVERY_KEY = 'evil recovery key';

export function signWith(key: string, bytes: Uint8Array): string {
  return `${key} ${createHash('sha256').update(bytes).digest('hex')}`;
}

export const verify: Verify = (key, bytes, signature) => signature === signWith(key, bytes);

export const idOf = (device: Device) => `01900000-0000-7000-8000-0000000000d${'ABTNG'.indexOf(device)}`;
export const identityOf = (device: Device) => `${device} identity`;

export function keysOf(device: Device): Omit<ListedDevice, 'keeper'> {
  return { device_id: idOf(device), identity_key: identityOf(device), exchange_key: `${device} exchange` };
}

export const listed = (device: Device, keeper = false): ListedDevice => ({ ...keysOf(device), keeper });

/** The name of an account key says who made it, and where. */
export const accountKey = (maker: Device | 'E', place: string) => `account key of ${maker} ${place}`;
export const makerOf = (key: string) => key.split(' ')[3];
