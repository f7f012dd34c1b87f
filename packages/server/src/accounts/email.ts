import { domainToASCII } from 'node:url';
import { RequestError } from '../http/request-error.ts';

const LOCAL = /^[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}]{1,64}$/u;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The one spelling under which an address is stored, locked and found: case, outer spaces and character widths do not count. */
export function normaliseEmail(text: string): string {
  const [local = '', domain = '', ...rest] = text.normalize('NFKC').trim().toLowerCase().split('@');
  const host = domainToASCII(domain);
  if (rest.length > 0 || !LOCAL.test(local) || !DOMAIN.test(host)) throw new RequestError('EMAIL_INVALID');
  return `${local}@${host}`;
}
