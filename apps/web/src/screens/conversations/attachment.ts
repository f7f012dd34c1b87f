import type { Attachment } from '@parley/client';

const MAX_BYTES = 200_000;

/** Throws a RangeError for what does not fit into a message. */
export async function readAttachment(file: File): Promise<Attachment> {
  if (file.size > MAX_BYTES) throw new RangeError('file');
  const mime_type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream';
  const kind = mime_type.split('/')[0];
  const type = kind === 'image' || kind === 'video' || kind === 'audio' ? kind : 'file';
  return {
    type,
    name: file.name.slice(0, 255) || 'file',
    mime_type,
    data: toBase64(new Uint8Array(await file.arrayBuffer())),
  };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8_192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return btoa(text);
}

export function toBlob(data: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], { type });
}
