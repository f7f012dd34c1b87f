/** Tests for a JSON Pointer (RFC 6901, section 3). */
export function isJsonPointer(text: string): boolean {
  return text === '' || (text.startsWith('/') && !/~(?![01])/.test(text));
}

const ORIGIN = /^(?:0|[1-9]\d*)(?:[+-][1-9]\d*)?/;

/** Tests for a relative JSON Pointer (draft-bhutton-relative-json-pointer-00, section 3). */
export function isRelativeJsonPointer(text: string): boolean {
  const origin = ORIGIN.exec(text);
  if (origin === null) return false;
  const rest = text.slice(origin[0].length);
  return rest === '#' || isJsonPointer(rest);
}
