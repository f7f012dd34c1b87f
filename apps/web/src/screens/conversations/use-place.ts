import { elementScroll, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type Anchor, findAnchor, readShift } from './anchor.ts';

type Rows = Virtualizer<HTMLDivElement, Element>;

/** Where a conversation is held until the person scrolls: rows get their real height only when they are drawn. */
export type Place =
  | { readonly kind: 'end' }
  | { readonly kind: 'row'; readonly key: string; readonly align: 'start' | 'center'; readonly delta: number };

export const END: Place = { kind: 'end' };
const NEAR_END = 48;
/** Positions are rounded by browsers. */
const ROUNDED = 1.5;

/** Where one was in each conversation, as long as the page is open. */
const places = new Map<string, Place>();
export const lastPlace = (conversationId: string): Place | undefined => places.get(conversationId);

/** Every position that is not in here was chosen by the person, by whatever means. */
export function useWrittenTop() {
  const top = useRef(0);
  const [scrollToFn] = useState(() => (offset: number, options: Parameters<typeof elementScroll>[1], rows: Rows) => {
    elementScroll(offset, options, rows);
    top.current = rows.scrollElement?.scrollTop ?? 0;
  });
  return { top, scrollToFn };
}

interface PlaceOptions {
  readonly conversationId: string;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: Rows;
  readonly top: RefObject<number>;
  readonly indexOf: (key: string) => number;
  readonly first: () => Place;
}

/**
 * Holds a place while rows are measured and others come, and follows the end while one is there (WC-33, WC-34). Who
 * has scrolled is held by what they see at the upper edge.
 */
export function usePlace({ conversationId, box, rows, top, indexOf, first }: PlaceOptions) {
  const [initial] = useState(first);
  const held = useRef<Place | undefined>(initial);
  const anchor = useRef<Anchor>([]);
  const [atEnd, setAtEnd] = useState(initial.kind === 'end');
  rows.shouldAdjustScrollPositionOnItemSizeChange = isAbove;

  const isNearEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLDivElement) =>
    scrollHeight - scrollTop - clientHeight < NEAR_END;
  const spot = (element: HTMLDivElement): Place => {
    const item = rows.getVirtualItemForOffset(element.scrollTop);
    if (item === undefined) return END;
    return { kind: 'row', key: String(item.key), align: 'start', delta: element.scrollTop - item.start };
  };
  /** The page became longer, or the rest shorter, than to be at this position any more. */
  const isCut = ({ scrollTop, scrollHeight, clientHeight }: HTMLDivElement) =>
    scrollTop < top.current - ROUNDED && scrollTop >= scrollHeight - clientHeight - ROUNDED;
  /** By how much the person has scrolled since the last time. */
  const takeMove = (element: HTMLDivElement): number => {
    const moved = isCut(element) ? 0 : element.scrollTop - top.current;
    top.current = element.scrollTop;
    return Math.abs(moved) <= ROUNDED ? 0 : moved;
  };
  const noticeMove = (element: HTMLDivElement): number => {
    const moved = takeMove(element);
    if (moved !== 0) {
      rows.cancelScroll();
      held.current = moved > 0 && isNearEnd(element) ? END : undefined;
    }
    return moved;
  };

  const goTo = (place: Place) => {
    if (place.kind === 'end') return rows.scrollToEnd();
    const index = indexOf(place.key);
    const offset = index === -1 ? undefined : rows.getOffsetForIndex(index, place.align)?.[0];
    if (offset === undefined) held.current = undefined;
    else if (place.delta === 0) rows.scrollToIndex(index, { align: place.align });
    else rows.scrollToOffset(offset + place.delta);
  };
  const apply = () => {
    const element = box.current;
    if (element === null || rows.options.count === 0 || element.clientHeight === 0) return;
    const moved = noticeMove(element);
    if (held.current !== undefined) {
      anchor.current = [];
      goTo(held.current);
    } else {
      const shift = readShift(element, anchor.current);
      if (shift === undefined) anchor.current = findAnchor(element);
      else if (Math.abs(shift + moved) > ROUNDED) rows.scrollBy(shift + moved);
    }
    if (held.current !== undefined) places.set(conversationId, held.current);
  };
  const hold = (place: Place) => {
    held.current = place;
    const element = box.current;
    if (element !== null) takeMove(element);
    apply();
  };
  const onScroll = () => {
    const element = box.current!;
    if (element.clientHeight === 0) return;
    const wasCut = isCut(element);
    noticeMove(element);
    setAtEnd(isNearEnd(element));
    if (wasCut) return;
    anchor.current = held.current === undefined ? findAnchor(element) : [];
    places.set(conversationId, held.current ?? spot(element));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something has another height
  useLayoutEffect(apply, [rows.getTotalSize(), rows.options.count, rows.scrollRect?.height, rows.scrollRect?.width]);
  useLayoutEffect(() => {
    if (box.current !== null) setAtEnd(isNearEnd(box.current));
  });

  /** What was drawn just now included. */
  const isEndShown = () => box.current !== null && isNearEnd(box.current);
  return { atEnd, held, hold, onScroll, isEndShown };
}

/**
 * Whatever is above stays out of the way. By itself the list leaves out what gets another height while one scrolls up:
 * a picture that is decoded late.
 */
function isAbove({ key, start, end }: VirtualItem, _: number, rows: Virtualizer<HTMLDivElement, Element>): boolean {
  const offset = rows.scrollOffset ?? 0;
  return rows.itemSizeCache.has(key) ? end <= offset : start < offset;
}
