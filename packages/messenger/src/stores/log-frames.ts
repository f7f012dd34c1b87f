import { crc32 } from 'node:zlib';

// A file is a magic line and then frames: length of the body, checksum of the body, checksum of these two, the body,
// which is JSON except in the index. A frame of a journal is written at once and holds one batch, or several joined.

export const MAGIC = Buffer.from('parley store 2\n');
/** Of the version before, which kept everything in one log. */
export const OLD_MAGIC = Buffer.from('parley store 1\n');
export const FRAME_HEAD = 12;

export function encodeFrame(value: unknown): Buffer {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEAD + length);
  frame.write(text, FRAME_HEAD);
  return writeHead(frame);
}

export function encodeBytes(parts: readonly Uint8Array[]): Buffer {
  return writeHead(Buffer.concat([Buffer.alloc(FRAME_HEAD), ...parts]));
}

function writeHead(frame: Buffer): Buffer {
  frame.writeUInt32BE(frame.length - FRAME_HEAD, 0);
  frame.writeUInt32BE(crc32(frame.subarray(FRAME_HEAD)), 4);
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8);
  return frame;
}

/** The checksum of a frame's body. */
export const sumOf = (frame: Buffer): number => frame.readUInt32BE(4);

/** Returns undefined unless a whole frame is at this place. */
export function decodeFrame<Value>(bytes: Buffer, offset = 0): Value | undefined {
  const body = readBody(bytes, offset);
  return body && (JSON.parse(body.toString('utf8')) as Value);
}

/** `end` is where the last complete frame ends; `torn` if bytes follow that a crash can have left. */
export type LogReading<Value> =
  | { readonly ok: true; readonly frames: readonly Value[]; readonly end: number; readonly torn: boolean }
  | { readonly ok: false; readonly problem: 'not_ours' | 'damaged' };

export function readLog<Value>(log: Buffer, magic: Buffer): LogReading<Value> {
  const start = log.subarray(0, magic.length);
  if (!magic.subarray(0, start.length).equals(start)) return { ok: false, problem: 'not_ours' };
  if (start.length < magic.length) return { ok: true, frames: [], end: 0, torn: true };
  const frames: Value[] = [];
  let end = magic.length;
  for (let body = readBody(log, end); body !== undefined; body = readBody(log, end)) {
    frames.push(JSON.parse(body.toString('utf8')));
    end += FRAME_HEAD + body.length;
  }
  // A frame is written only after the one before it is on disk. So a complete frame after a broken one means that
  // acknowledged data was altered: cutting there would lose it silently.
  for (let offset = end + 1; offset + FRAME_HEAD <= log.length; offset++) {
    if (readBody(log, offset) !== undefined) return { ok: false, problem: 'damaged' };
  }
  return { ok: true, frames, end, torn: end < log.length };
}

/** Returns undefined unless a whole frame is at this place. */
export function readBody(log: Buffer, offset: number): Buffer | undefined {
  if (offset + FRAME_HEAD > log.length) return undefined;
  const head = log.subarray(offset, offset + FRAME_HEAD);
  if (crc32(head.subarray(0, 8)) !== head.readUInt32BE(8)) return undefined;
  const body = log.subarray(offset + FRAME_HEAD, offset + FRAME_HEAD + head.readUInt32BE(0));
  return body.length === head.readUInt32BE(0) && crc32(body) === head.readUInt32BE(4) ? body : undefined;
}
