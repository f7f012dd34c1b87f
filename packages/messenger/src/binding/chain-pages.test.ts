import { describe, expect, it } from 'vitest';
import { readChainPages } from './chain-pages.ts';

const CHAIN = ['a', 'b', 'c', 'd', 'e'];
const pages =
  (size: number, items: readonly string[] = CHAIN, length = items.length) =>
  async (after: number) => ({ items: items.slice(after, after + size), length });

describe('EE-18 a chain that comes in pages', () => {
  it('EE-18 is read whole, or on top of what is known', async () => {
    expect(await readChainPages(pages(2))).toEqual({ ok: true, items: CHAIN });
    expect(await readChainPages(pages(9))).toEqual({ ok: true, items: CHAIN });
    expect(await readChainPages(pages(2), { known: ['a', 'b', 'c'] })).toEqual({ ok: true, items: CHAIN });
    expect(await readChainPages(pages(2), { known: CHAIN })).toEqual({ ok: true, items: CHAIN });
    expect(await readChainPages(pages(2, []))).toEqual({ ok: true, items: [] });
  });

  it('EE-18 attack: it is shorter than it was, on the first page or a later one', async () => {
    const shortened = (seq: number) => ({ ok: false, problem: 'shortened', seq });
    expect(await readChainPages(pages(2, CHAIN.slice(0, 2)), { known: CHAIN.slice(0, 3) })).toEqual(shortened(3));
    expect(await readChainPages(pages(9, CHAIN.slice(0, 2)), { minimum: 3 })).toEqual(shortened(3));
    expect(await readChainPages(pages(9, []), { minimum: 3 })).toEqual(shortened(1));
    // It claims the old length, and then gives nothing more.
    expect(await readChainPages(pages(9, CHAIN.slice(0, 2), 3), { minimum: 3 })).toEqual(shortened(3));
  });

  it('EE-18 attack: it claims more than it gives, or less on every page', async () => {
    expect(await readChainPages(pages(2, CHAIN, 6))).toEqual({ ok: false, problem: 'incomplete', seq: 6 });
    let claimed = 5;
    const shrinking = async (after: number) => ({ items: CHAIN.slice(after, after + 1), length: claimed-- });
    expect(await readChainPages(shrinking)).toEqual({ ok: false, problem: 'incomplete', seq: 3 });
  });

  it('EE-18 attack: it never ends', async () => {
    const endless = async (after: number) => ({ items: new Array<string>(10_000).fill('x'), length: after + 20_000 });
    expect(await readChainPages(endless)).toMatchObject({ ok: false, problem: 'incomplete' });
  });
});
