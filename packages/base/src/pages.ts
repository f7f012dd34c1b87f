/** The part of a query that says which page of a list is wanted; it is empty for the first page. */
export interface PageCursor {
  readonly cursor?: string;
}

/** No list of ours is longer. A server that always had another page would keep its reader busy for ever. */
const MAX_PAGES = 1_000;

/**
 * The query for the next page. `last`: there is none. `endless`: the server repeats a cursor or sends too many pages.
 */
export function findNextPage(
  cursor: string | null | undefined,
  asked: readonly PageCursor[],
): PageCursor | 'last' | 'endless' {
  if (cursor === null || cursor === undefined) return 'last';
  const isRepeated = asked.some((page) => page.cursor === cursor);
  return isRepeated || asked.length >= MAX_PAGES ? 'endless' : { cursor };
}
