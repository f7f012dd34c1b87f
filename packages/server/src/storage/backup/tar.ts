import { serverError } from '../../errors.ts';

export interface Entry {
  readonly path: string;
  readonly content: Buffer;
}

const BLOCK = 512;
/** Far more than we write. An entry is read into memory, so its size is bounded. */
const MAX_ENTRY = 64 * 1024 * 1024;

/** Writes one file of a tar archive (POSIX ustar), so that any `tar` can read it. */
export function packEntry({ path, content }: Entry, time: Date): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  header.write(path, 0, 100, 'utf8');
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(Math.floor(time.getTime() / 1_000), 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc(padding(content.length))]);
}

export const ARCHIVE_END = Buffer.alloc(2 * BLOCK);

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;

/** Yields the files of an archive that `packEntry` wrote, one after the other. */
export async function* unpack(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const take = createTaker(source);
  for (;;) {
    const header = await take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (header.toString('latin1', 257, 262) !== 'ustar') throw serverError('BACKUP_UNREADABLE');
    const size = Number.parseInt(header.toString('latin1', 124, 135), 8);
    if (!(size >= 0 && size <= MAX_ENTRY)) throw serverError('BACKUP_UNREADABLE');
    const path = header.toString('utf8', 0, 100).replace(/\0.*$/s, '');
    const content = await take(size);
    await take(padding(size));
    yield { path, content };
  }
}

/** Takes exactly `size` bytes at a time; if there are fewer, the file was cut off. */
function createTaker(source: AsyncIterable<Buffer>): (size: number) => Promise<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (size) => {
    const parts = [rest];
    let length = rest.length;
    while (length < size) {
      const { value, done } = await chunks.next();
      if (done) throw serverError('BACKUP_UNREADABLE');
      parts.push(value);
      length += value.length;
    }
    const all = Buffer.concat(parts);
    rest = all.subarray(size);
    return all.subarray(0, size);
  };
}
