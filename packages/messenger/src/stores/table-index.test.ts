import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLeavesWriter } from './leaves.ts';
import { encodeFrame, MAGIC } from './log-frames.ts';
import { encodeIndex, readIndex } from './table-index.ts';

const root = mkdtempSync(join(tmpdir(), 'parley-index-'));
afterAll(() => rmSync(root, { recursive: true }));
const file = join(root, 'log');
const write = (bytes: Uint8Array) => writeFileSync(file, bytes, { mode: 0o600 });

describe('EE-7 the index of a table', () => {
  const leaf = { first: 'a/\ud83d', offset: 2 ** 40, length: 12_000, sum: 0xffff_ffff, filter: Buffer.from([1, 2]) };
  const writer = createLeavesWriter();
  writer.add({ ...leaf, first: '', offset: 0 });
  writer.add(leaf);
  const index = { journal: 7, leaves: writer.finish() };

  it('EE-7 is read as it was written', () => {
    write(encodeIndex(index));
    const reading = readIndex(file);
    expect(reading).toMatchObject({ state: 'index', index: { journal: 7, leaves: { count: 2 } } });
    if (reading.state !== 'index') return expect.unreachable();
    expect(reading.index.leaves.at(1)).toEqual(leaf);
    expect(['', 'a', 'a/\ud83d', 'b'].map(reading.index.leaves.find)).toEqual([0, 0, 1, 1]);
  });

  it('EE-7 that is cut off, longer or altered anywhere is damaged', () => {
    const bytes = encodeIndex(index);
    for (let at = MAGIC.length; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 1;
      write(altered);
      expect(readIndex(file)).toEqual({ state: 'damaged' });
      write(bytes.subarray(0, at));
      expect(readIndex(file)).toEqual({ state: 'damaged' });
    }
    write(Buffer.concat([bytes, Buffer.alloc(1)]));
    expect(readIndex(file)).toEqual({ state: 'damaged' });
  });

  it('EE-7 in its first form, which had no filters, is read, too', () => {
    const rows = [
      ['', 0, 10, 1],
      ['b', 4_096, 20, 2],
    ];
    write(Buffer.concat([MAGIC, encodeFrame({ journal: 3, leaves: rows })]));
    const reading = readIndex(file);
    if (reading.state !== 'index') return expect.unreachable();
    const { journal, leaves } = reading.index;
    expect([journal, leaves.count]).toEqual([3, 2]);
    expect(leaves.at(1)).toEqual({ first: 'b', offset: 4_096, length: 20, sum: 2, filter: Buffer.alloc(0) });
  });
});
