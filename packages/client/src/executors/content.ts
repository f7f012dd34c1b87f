import { MAX_ARTIFACT_BYTES } from '@parley/protocol';

/** Room for the rest of an answer: ids, names, quotes. */
const REST_BYTES = 2 * 1024;
const MAX_JSON_BYTES = MAX_ARTIFACT_BYTES - REST_BYTES;
/** The largest file or page: it fits into an answer even in base64. */
export const MAX_CONTENT_BYTES = Math.floor((MAX_JSON_BYTES * 3) / 4) - 3 * 1024;

const encoder = new TextEncoder();

/** UTF-8 text, or base64 for anything else; `encoding` says which. */
export interface Content {
  readonly content: string;
  readonly encoding: 'utf-8' | 'base64';
}

export function toContent(bytes: Uint8Array, wanted?: 'utf-8' | 'base64'): Content {
  if (wanted !== 'base64') {
    try {
      const content = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      // Control characters take six times their size in JSON, and no text has them.
      if (!content.includes('\u0000')) return { content, encoding: 'utf-8' };
    } catch {
      // The bytes are not UTF-8.
    }
  }
  return { content: toBase64(bytes), encoding: 'base64' };
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(binary);
}

/** Cuts the text to what fits into an answer beside `others`, a number of JSON bytes. */
export function cutToFit(text: string, others: number): { text: string; cut: boolean } {
  const room = MAX_JSON_BYTES - others;
  if (sizeInJson(text) <= room) return { text, cut: false };
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeInJson(text.slice(0, middle)) <= room) low = middle;
    else high = middle - 1;
  }
  // The cut is not in the middle of a character.
  return { text: text.slice(0, low).replace(/[\ud800-\udbff]$/, ''), cut: true };
}

export function sizeInJson(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}
