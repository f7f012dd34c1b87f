import { createHash, randomBytes } from 'node:crypto';

/**
 * Makes W3C Trace Context headers from the trace id of the context: 32 hexadecimal digits as they are, any other id by
 * its hash.
 */
export function traceHeaders(traceId: string | undefined): Readonly<Record<string, string>> | undefined {
  if (traceId === undefined) return undefined;
  const plain = traceId.replaceAll('-', '').toLowerCase();
  const usable = /^[\da-f]{32}$/.test(plain) && !/^0+$/.test(plain);
  const id = usable ? plain : createHash('sha256').update(traceId).digest('hex').slice(0, 32);
  return { traceparent: `00-${id}-${randomBytes(8).toString('hex')}-01` };
}
