import { readPages } from '@parley/client';
import type { Words } from '../messages/index.ts';
import { show } from '../print.ts';

interface Reading<Page, Row> {
  readonly read: (position: { readonly cursor?: string }) => Promise<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** Stops after so many. */
  readonly limit: number;
  readonly words: Words;
}

/** Reads a list page by page. At a terminal, one that takes long says how far it is. */
export async function readAll<Page extends { readonly next_cursor: string | null }, Row>(
  options: Reading<Page, Row>,
): Promise<Row[]> {
  const { read, rowsOf, limit, words } = options;
  const rows: Row[] = [];
  for await (const page of readPages(read)) {
    rows.push(...rowsOf(page));
    if (rows.length >= limit) break;
    if (page.next_cursor !== null && process.stderr.isTTY) {
      await show(
        process.stderr,
        (paint) => `${paint('dim', words.say('admin.read_so_far', { count: rows.length }))}\n`,
      );
    }
  }
  return rows.slice(0, limit);
}

const DEFAULT = 50;

/** `--all` wins over `--limit`. */
export const limitOf = ({ all = false, limit = DEFAULT }: { readonly all?: boolean; readonly limit?: number }) =>
  all ? Number.POSITIVE_INFINITY : limit;
