/**
 * Implements RFC 3986, appendix A, for ASCII. Both judges refuse an empty path after the scheme and accept a colon in
 * the first segment of a reference.
 */
const CHAR = "(?:[\\w\\-.~!$&'()*+,;=:@]|%[\\da-f]{2})";
const SEGMENTS = `(?:/${CHAR}*)*`;
const AUTHORITY = `//(?:[\\w\\-.~!$&'()*+,;=:@[\\]]|%[\\da-f]{2})*${SEGMENTS}`;
const ABSOLUTE = `/(?:${CHAR}+${SEGMENTS})?`;
const TAIL = `(?:\\?(?:${CHAR}|[/?])*)?(?:#(?:${CHAR}|[/?])*)?`;
const FIRST = CHAR.replace('=:@', '=@');

const URI = new RegExp(`^[a-z][a-z\\d+.-]*:(?:${AUTHORITY}|${ABSOLUTE}|${CHAR}+${SEGMENTS}|)${TAIL}$`, 'i');
const RELATIVE = new RegExp(`^(?:${AUTHORITY}|${ABSOLUTE}|${FIRST}+${SEGMENTS}|)${TAIL}$`, 'i');

export const isUri = (text: string): boolean => URI.test(text);
export const isUriReference = (text: string): boolean => URI.test(text) || RELATIVE.test(text);
