/** Far more than a person can sign: a server that goes on is inventing statements. */
const MAX_STATEMENTS = 100_000;

interface Page<S> {
  readonly items: readonly S[];
  readonly length: number;
}

export type ReadChain<S> =
  | { readonly ok: true; readonly items: readonly S[] }
  /** `incomplete`: the server claims more than it gives. */
  | { readonly ok: false; readonly problem: 'shortened' | 'incomplete'; readonly seq: number };

/** Reads a signed chain page by page, on top of what is known of it. `minimum` is how far it was seen before. */
export async function readChainPages<S>(
  readPage: (after: number) => Promise<Page<S>>,
  { known = [], minimum = known.length }: { readonly known?: readonly S[]; readonly minimum?: number } = {},
): Promise<ReadChain<S>> {
  const items = [...known];
  let claimed = 0;
  for (;;) {
    const page = await readPage(items.length);
    items.push(...page.items);
    const seq = Math.min(page.length, items.length) + 1;
    const isEmpty = page.items.length === 0 && items.length < page.length;
    if ((isEmpty ? items.length : page.length) < minimum) return { ok: false, problem: 'shortened', seq };
    if (page.length < claimed || isEmpty || items.length > MAX_STATEMENTS) {
      return { ok: false, problem: 'incomplete', seq };
    }
    claimed = page.length;
    if (items.length >= page.length) return { ok: true, items };
  }
}
