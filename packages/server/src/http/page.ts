export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The last row, if another page follows; the next page begins after its cursor. */
  readonly last: Row | undefined;
}

/**
 * Takes the page from a list that was read with one row more than `limit`, which tells whether another page follows.
 */
export function takePage<Row>(rows: readonly Row[], limit: number): Page<Row> {
  if (rows.length <= limit) return { rows, last: undefined };
  const page = rows.slice(0, limit);
  return { rows: page, last: page.at(-1) };
}
