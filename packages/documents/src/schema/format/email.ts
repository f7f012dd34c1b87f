import { isIpv4, isIpv6 } from './address.ts';
import { isHostname, isIdnHostname } from './hostname.ts';

/** The characters that a local part cannot hold, bare and between quotes (RFC 5321, section 4.1.2). */
interface Letters {
  readonly notBare: RegExp;
  readonly notQuoted: RegExp;
}
const ASCII: Letters = { notBare: /[^\w!#$%&'*+\-/=?^`{|}~.]/, notQuoted: /[^\x20-\x7e]/ };
/** The same for all of Unicode (RFC 6531, section 3.3). */
const UNICODE: Letters = {
  notBare: /[^\w!#$%&'*+\-/=?^`{|}~.\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u,
  notQuoted: /[^\x20-\x7e\u{80}-\u{d7ff}\u{e000}-\u{10ffff}]/u,
};

export function isEmail(text: string): boolean {
  return isMailbox(text, ASCII, isHostname);
}

/** Only one spelling is allowed (RFC 6532, section 3.1): two that look alike would be two mailboxes. */
export function isIdnEmail(text: string): boolean {
  return text.normalize('NFC') === text && isMailbox(text, UNICODE, isIdnHostname);
}

function isMailbox(text: string, letters: Letters, isDomain: (text: string) => boolean): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const domain = text.slice(at + 1);
  return isLocalPart(text.slice(0, at), letters) && (isDomain(domain) || isAddressLiteral(domain));
}

function isLocalPart(text: string, { notBare, notQuoted }: Letters): boolean {
  if (!text.startsWith('"')) {
    return !notBare.test(text) && !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');
  }
  if (text.length < 2 || !text.endsWith('"')) return false;
  const inner = text.slice(1, -1);
  return !notQuoted.test(inner) && !/["\\]/.test(inner.replace(/\\./gu, ''));
}

function isAddressLiteral(text: string): boolean {
  if (!text.startsWith('[') || !text.endsWith(']')) return false;
  const address = text.slice(1, -1);
  return isIpv4(address) || (/^ipv6:/i.test(address) && isIpv6(address.slice(5)));
}
