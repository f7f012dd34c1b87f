// Every host has it (Encoding Standard), but the ECMAScript library's types do not.
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: true; ignoreBOM: true },
) => { decode(bytes: Uint8Array): string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text, including a byte-order mark, or the offset of the first byte that is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | number {
  try {
    return decoder.decode(bytes);
  } catch {
    return findInvalid(bytes);
  }
}

/** Returns the start of the first sequence that RFC 3629, section 4 does not allow. */
function findInvalid(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function sequenceLength(bytes: Uint8Array, at: number): 0 | 1 | 2 | 3 | 4 {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The bounds of the second byte exclude overlong forms (E0, F0), surrogates (ED) and code points past U+10FFFF (F4).
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index];
    if (byte === undefined || byte < (index === 1 ? lowest : 0x80) || byte > (index === 1 ? highest : 0xbf)) return 0;
  }
  return length;
}
