import { findNextPage, type PageCursor } from '@parley/base';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

type Page = { readonly next_cursor: string | null } | { readonly nextCursor: string | null | undefined };

const FIRST: PageCursor = {};

/** Reads a list page by page when the person asks for more (`ShowMore`). */
export function usePages<P extends Page>(queryKey: QueryKey, read: (page: PageCursor) => Promise<P>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: FIRST,
    getNextPageParam: (last, _pages, _cursor, asked) => {
      const next = findNextPage('next_cursor' in last ? last.next_cursor : last.nextCursor, asked);
      return typeof next === 'string' ? undefined : next;
    },
  });
}
