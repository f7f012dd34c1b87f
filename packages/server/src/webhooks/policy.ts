import type { GuardPolicy } from '@parley/guarded-fetch';
import type { ServerConfig } from '../config.ts';

/** Allows HTTPS to public addresses, and plain HTTP to loopback in development (TR-5). */
export function guardPolicy({ allowPrivateAddresses, development }: ServerConfig): GuardPolicy {
  return { allowPrivate: allowPrivateAddresses, allowLoopback: development };
}
