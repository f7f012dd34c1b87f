import type { ServerConfig } from '../config.ts';
import type { GuardPolicy } from '../http/guard-policy.ts';

/** TR-5: HTTPS to public addresses; plain HTTP to loopback in development. */
export function guardPolicy({ allowPrivateAddresses, development }: ServerConfig): GuardPolicy {
  return { allowPrivate: allowPrivateAddresses, allowLoopback: development };
}
