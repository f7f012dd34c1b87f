import type { GuardPolicy } from '@parley/guarded-fetch';
import type { ServerConfig } from '../config.ts';

/** TR-5: HTTPS to public addresses; plain HTTP to loopback in development. */
export function guardPolicy({ allowPrivateAddresses, development }: ServerConfig): GuardPolicy {
  return { allowPrivate: allowPrivateAddresses, allowLoopback: development };
}
