import { findNextPage, type PageCursor } from '@parley/base';
import { clientError } from './errors.ts';

/** A page of a list, as our routes reply with it. */
interface Page {
  readonly next_cursor: string | null;
}

/** Reads all pages of a list, one after the other. Stops at a server whose list does not end. */
export async function* readPages<P extends Page>(read: (position: PageCursor) => Promise<P>): AsyncGenerator<P> {
  const asked: PageCursor[] = [];
  let next: PageCursor = {};
  for (;;) {
    asked.push(next);
    const page = await read(next);
    yield page;
    const found = findNextPage(page.next_cursor, asked);
    if (found === 'last') return;
    if (found === 'endless') throw clientError('LIST_ENDLESS');
    next = found;
  }
}
