import type { Attachment } from '@parley/client';
import { toBase64 } from '../../client/base64.ts';

const MAX_BYTES = 200_000;

/** Undefined if the file does not fit into a message. */
export async function readAttachment(file: File): Promise<Attachment | undefined> {
  if (file.size > MAX_BYTES) return undefined;
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

/** An agent may send any letters of base64: what makes no whole byte at the end is left out. */
export function toBytes(data: string): Uint8Array<ArrayBuffer> {
  const letters = data.replace(/=+$/, '');
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

export const toBlob = (data: string, type: string): Blob => new Blob([toBytes(data)], { type });
