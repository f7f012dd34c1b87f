// Every host has it (Encoding Standard), but the ECMAScript library's types do not.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const encoder = new TextEncoder();

export const toUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** A UTF-16 unit has at most three bytes as UTF-8, so short texts need not be encoded to be measured. */
export const exceedsBytes = (text: string, maxBytes: number): boolean =>
  text.length * 3 > maxBytes && toUtf8(text).length > maxBytes;
