import { describe, expect, it } from 'vitest';
import { BLOCK, createBlocks } from './blocks.ts';

describe('EE-26 the blocks of a file', () => {
  it('EE-26 what is freed is used again, and nothing that is in use', () => {
    const blocks = createBlocks(0, true);
    const first = [3, 1, 2].map((count) => blocks.allocate(count * BLOCK - 10) / BLOCK);
    expect([first, blocks.end() / BLOCK]).toEqual([[0, 3, 4], 6]);
    blocks.free({ offset: 0, length: 3 * BLOCK - 10 });
    blocks.rewind();
    expect([2, 1, 2].map((count) => blocks.allocate(count * BLOCK) / BLOCK)).toEqual([0, 2, 6]);
    expect([blocks.dirty(), blocks.end() / BLOCK]).toEqual([[], 8]);
  });

  it('EE-4 what was freed and not used again is to be overwritten once, adjacent blocks together', () => {
    const blocks = createBlocks(0, true);
    const extents = Array.from({ length: 5 }, () => ({ offset: blocks.allocate(BLOCK), length: BLOCK }));
    for (const at of [1, 2, 4]) blocks.free(extents[at]!);
    expect(blocks.dirty()).toEqual([
      { offset: BLOCK, length: 2 * BLOCK },
      { offset: 4 * BLOCK, length: BLOCK },
    ]);
    expect(blocks.end()).toBe(4 * BLOCK);
    blocks.erased();
    expect(blocks.dirty()).toEqual([]);
    blocks.rewind();
    expect([blocks.allocate(2 * BLOCK), blocks.allocate(BLOCK)]).toEqual([BLOCK, 4 * BLOCK]);
  });

  it('EE-4 after a crash all that is not in use is to be overwritten', () => {
    const blocks = createBlocks(4 * BLOCK, false);
    blocks.use({ offset: BLOCK, length: 10 });
    expect(blocks.dirty()).toEqual([
      { offset: 0, length: BLOCK },
      { offset: 2 * BLOCK, length: 2 * BLOCK },
    ]);
  });
});
