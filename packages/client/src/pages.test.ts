import { describe, expect, it } from 'vitest';
import { readPages } from './pages.ts';

const collect = async (next: (cursor: string | undefined) => string | null) => {
  const asked: (string | undefined)[] = [];
  const read = async ({ cursor }: { readonly cursor?: string }) => {
    asked.push(cursor);
    return { next_cursor: next(cursor) };
  };
  const error = await (async () => {
    for await (const _ of readPages(read));
  })().catch((thrown: unknown) => thrown);
  return { asked, error };
};

describe('HS-20 the pages of a list', () => {
  it('HS-20 are read one after the other, up to the last', async () => {
    const { asked, error } = await collect((cursor) => (cursor === undefined ? 'b' : cursor === 'b' ? 'c' : null));
    expect(asked).toEqual([undefined, 'b', 'c']);
    expect(error).toBeUndefined();
  });

  it('HS-20 of a hostile server are given up: a circle at once, a list without end after a thousand', async () => {
    const circle = await collect((cursor) => (cursor === 'b' ? 'c' : 'b'));
    expect(circle.asked).toEqual([undefined, 'b', 'c']);
    expect(circle.error).toMatchObject({ code: 'LIST_ENDLESS' });
    let count = 0;
    const endless = await collect(() => String(count++));
    expect(endless.asked).toHaveLength(1_000);
    expect(endless.error).toMatchObject({ code: 'LIST_ENDLESS' });
  });
});
