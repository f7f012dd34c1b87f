/** The part of a query that says which page of a list is wanted; empty for the first. */
export interface PageCursor {
  readonly cursor?: string;
}

/** More than any list has. A server that always had another page would keep its reader busy for ever. */
const MAX_PAGES = 1_000;

/**
 * What the next page is asked for with, by the cursor that came with the last of the pages that were `asked` for.
 * `last`: there is no other. `endless`: the server sends its reader in a circle, or further than any list goes.
 */
export function findNextPage(
  cursor: string | null | undefined,
  asked: readonly PageCursor[],
): PageCursor | 'last' | 'endless' {
  if (cursor === null || cursor === undefined) return 'last';
  const isRepeated = asked.some((page) => page.cursor === cursor);
  return isRepeated || asked.length >= MAX_PAGES ? 'endless' : { cursor };
}
