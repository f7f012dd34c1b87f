/** A marked part of a file that otherwise belongs to the user (BA-3). */
const begin = (bundleId: string): string => `<!-- roleos:begin ${bundleId} -->`;
const end = (bundleId: string): string => `<!-- roleos:end ${bundleId} -->`;
/** Matches the marker of any bundle; nothing that comes out of a manifest may contain it. */
const MARKER = /<!--\s*roleos:/i;
const NEWLINE = 0x0a;

export function renderBlock(bundleId: string, text: string): string {
  if (MARKER.test(text)) throw new TypeError('renderBlock: the text contains a marker');
  return `${begin(bundleId)}\n${text.trimEnd()}\n${end(bundleId)}\n`;
}

export type FoundBlock =
  | { readonly found: false }
  /** There is half a block, or two of them: nobody can say which part is ours. */
  | { readonly found: 'broken' }
  | { readonly found: true; readonly start: number; readonly stop: number; readonly bytes: Buffer };

export function findBlock(file: Buffer, bundleId: string): FoundBlock {
  const [first, last] = [Buffer.from(begin(bundleId)), Buffer.from(end(bundleId))];
  const start = file.indexOf(first);
  const close = file.indexOf(last);
  if (start === -1 && close === -1) return { found: false };
  const twice = file.indexOf(first, start + 1) !== -1 || file.indexOf(last, close + 1) !== -1;
  if (start === -1 || close < start || twice) return { found: 'broken' };
  const stop = close + last.length;
  const whole = file[stop] === NEWLINE ? stop + 1 : stop;
  return { found: true, start, stop: whole, bytes: file.subarray(start, whole) };
}

/** One newline separates the block from the text before it, so that removing both restores the exact bytes. */
export function appendBlock(file: Buffer, block: string): Buffer {
  return Buffer.concat([file, Buffer.from(file.length === 0 ? block : `\n${block}`)]);
}

export function replaceBlock(file: Buffer, at: { start: number; stop: number }, block: string): Buffer {
  return Buffer.concat([file.subarray(0, at.start), Buffer.from(block), file.subarray(at.stop)]);
}

export function removeBlock(file: Buffer, { start, stop }: { start: number; stop: number }): Buffer {
  const before = start > 0 && file[start - 1] === NEWLINE ? start - 1 : start;
  return Buffer.concat([file.subarray(0, before), file.subarray(stop)]);
}

/** A block in UTF-8 would corrupt a file of another encoding. */
export function isUtf8Text(file: Buffer): boolean {
  return !file.includes(0) && Buffer.from(file.toString('utf8')).equals(file);
}
