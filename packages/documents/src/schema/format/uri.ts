import { isIpv6 } from './address.ts';

/** The characters that each part of a reference cannot hold. `%` is checked separately. */
interface Letters {
  readonly notInUser: RegExp;
  readonly notInHost: RegExp;
  readonly notInPath: RegExp;
  readonly notInQuery: RegExp;
  readonly notInFragment: RegExp;
}

/** The characters of a name (RFC 3986, appendix A). */
const NAME = "\\w\\-.~!$&'()*+,;=%";
/** The ranges ucschar and iprivate (RFC 3987, section 2.2). */
export const UCSCHAR =
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}' +
  Array.from(
    { length: 14 },
    (_, i) => `\\u{${(i + 1).toString(16)}${i === 13 ? '1000' : '0000'}}-\\u{${(i + 1).toString(16)}fffd}`,
  ).join('');
export const IPRIVATE = '\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}';

function createLetters(more: string, moreInQuery: string): Letters {
  const none = (letters: string) => new RegExp(`[^${letters}${more}]`, 'u');
  return {
    notInUser: none(`${NAME}:`),
    notInHost: none(NAME),
    notInPath: none(`${NAME}:@/`),
    notInQuery: none(`${NAME}:@/?${moreInQuery}`),
    notInFragment: none(`${NAME}:@/?`),
  };
}
const ASCII = createLetters('', '');
const UNICODE = createLetters(UCSCHAR, IPRIVATE);

export const isUri = (text: string) => isReference(text, ASCII, true);
export const isUriReference = (text: string) => isReference(text, ASCII, false);
export const isIri = (text: string) => isReference(text, UNICODE, true);
export const isIriReference = (text: string) => isReference(text, UNICODE, false);

export const hasBrokenPercent = (text: string) => /%(?![0-9A-Fa-f]{2})/.test(text);

function isReference(text: string, letters: Letters, needsScheme: boolean): boolean {
  if (hasBrokenPercent(text)) return false;
  const [beforeFragment, fragment] = cut(text, '#');
  const [beforeQuery, query] = cut(beforeFragment, '?');
  if (letters.notInFragment.test(fragment) || letters.notInQuery.test(query)) return false;

  const slash = beforeQuery.indexOf('/');
  const colon = beforeQuery.indexOf(':');
  const hasScheme = colon !== -1 && (slash === -1 || colon < slash);
  if (hasScheme ? !/^[A-Za-z][A-Za-z0-9+.-]*$/.test(beforeQuery.slice(0, colon)) : needsScheme) return false;
  const hierarchy = hasScheme ? beforeQuery.slice(colon + 1) : beforeQuery;
  if (!hierarchy.startsWith('//')) return !letters.notInPath.test(hierarchy);
  const [authority, path] = cut(hierarchy.slice(2), '/');
  return isAuthority(authority, letters) && !letters.notInPath.test(path);
}

function cut(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function isAuthority(text: string, letters: Letters): boolean {
  const at = text.indexOf('@');
  if (at !== -1 && letters.notInUser.test(text.slice(0, at))) return false;
  const place = text.slice(at + 1);
  const end = place.startsWith('[') ? place.indexOf(']') + 1 : place.length;
  const colon = place.indexOf(':', place.startsWith('[') ? end : 0);
  const host = colon === -1 ? place : place.slice(0, colon);
  if (colon !== -1 && /\D/.test(place.slice(colon + 1))) return false;
  return host.startsWith('[') ? isIpLiteral(host) : !letters.notInHost.test(host);
}

function isIpLiteral(host: string): boolean {
  if (!host.endsWith(']')) return false;
  const address = host.slice(1, -1);
  return isIpv6(address) || /^v[0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(address);
}
