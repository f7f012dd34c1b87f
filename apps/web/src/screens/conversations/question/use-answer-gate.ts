import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type AnswerGate, createAnswerGate } from './answer-gate.ts';

/** Marks what answers: its place is part of what has to be still. */
export const ANSWER = { 'data-answer': '' } as const;

/** Marks answers that stay in sight while the rest is scrolled. */
export const STUCK = { 'data-stuck': '' } as const;

const answerOf = ({ target }: Event) => (target instanceof Element ? target.closest('[data-answer]') : null);
const presses = ({ key }: KeyboardEvent) => key === 'Enter' || key === ' ';

/** The gate of all questions. It watches from before the first one: a click that ends on it may have begun anywhere. */
export function useAnswerGate(): AnswerGate {
  const [gate] = useState(createAnswerGate);
  useEffect(() => {
    const watching = new AbortController();
    const options = { capture: true, passive: true, signal: watching.signal } as const;
    addEventListener('pointerdown', (event) => gate.pointerDown(event.pointerId, answerOf(event)), options);
    addEventListener('pointercancel', (event) => gate.pointerCancel(event.pointerId), options);
    addEventListener(
      'keydown',
      (event) => presses(event) && gate.keyDown(event.key, answerOf(event), event.repeat),
      options,
    );
    // The click of the space bar comes right after this event.
    addEventListener('keyup', ({ key }) => setTimeout(() => gate.keyUp(key)), options);
    addEventListener('blur', gate.keysLost, options);
    return () => watching.abort();
  }, [gate]);
  return gate;
}

export interface Answering {
  readonly isOpen: boolean;
  /** Someone tried to answer too early. */
  readonly isEarly: boolean;
  takesClick(event: MouseEvent): boolean;
  takesEscape(event: KeyboardEvent): boolean;
}

interface Asked {
  readonly sheet: RefObject<HTMLElement | null>;
  readonly id: string;
  /** What can change in it beside its place. */
  readonly look: string;
  /** It can really be seen: not in a hidden page, nor under another dialog. May be called again and again. */
  readonly onVisible: () => void;
  /** Nobody sees it any more. */
  readonly onHidden: () => void;
}

/** Whether the question on the screen can be answered (WC-10). */
export function useAnswering(gate: AnswerGate, { sheet, id, look, onVisible, onHidden }: Asked): Answering {
  const when = useRef({ onVisible, onHidden });
  when.current = { onVisible, onHidden };
  const [openFor, setOpenFor] = useState<string>();
  const [earlyFor, setEarlyFor] = useState<string>();

  // Before the browser can hand over a click on what has just been drawn.
  useLayoutEffect(() => gate.begin(id), [gate, id]);

  useEffect(() => {
    let frame = 0;
    const check = () => {
      const view = sheet.current === null ? undefined : readView(sheet.current);
      if (view === undefined) when.current.onHidden();
      else when.current.onVisible();
      const isOpen = gate.look(id, view && `${look} ${view}`, performance.now());
      setOpenFor(isOpen ? id : undefined);
    };
    const watch = () => {
      check();
      frame = requestAnimationFrame(watch);
    };
    watch();
    // A hidden page draws no frames.
    document.addEventListener('visibilitychange', check);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', check);
    };
  }, [gate, sheet, id, look]);

  const orEarly = (counts: boolean) => {
    // Also of one that began too early and ended in time, or nobody would know why nothing happens.
    if (!counts) setEarlyFor(id);
    return counts;
  };
  return {
    isOpen: openFor === id,
    isEarly: earlyFor === id,
    takesClick: ({ currentTarget, detail, nativeEvent }) =>
      orEarly(gate.takesClick(id, currentTarget, detail > 0 ? pointerOf(nativeEvent) : undefined)),
    takesEscape: ({ repeat }) => orEarly(!repeat && gate.isOpen(id)),
  };
}

/** Not every browser says it of a click. */
const pointerOf = (click: Event): number => (click instanceof PointerEvent ? click.pointerId : -1);

/** Where the question is, and its answers in it, however far someone has scrolled it; undefined while nobody sees it. */
function readView(sheet: HTMLElement): string | undefined {
  if (document.visibilityState !== 'visible' || sheet.closest('[aria-hidden=true],[inert]') !== null) return undefined;
  const elements = [sheet, ...sheet.querySelectorAll('[data-answer]')];
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const [frame, ...answers] = boxes as [DOMRect, ...DOMRect[]];
  const shown = answers.map(middleOf).filter((point) => isInside(point, frame) && isInside(point, wholePage()));
  // Another dialog is over it, or takes the clicks.
  if (!shown.every(({ x, y }) => sheet.contains(document.elementFromPoint(x, y)))) return undefined;
  const seen = visiblePart();
  // Someone has zoomed in on something else.
  if (shown.length > 0 && !shown.some((point) => isInside(point, seen))) return undefined;
  const places = boxes.map(({ x, y, width, height }, at) => {
    if (at === 0) return [x, y, width, height, sheet.scrollHeight];
    return [x, elements[at]!.closest('[data-stuck]') === null ? y + sheet.scrollTop : 0, width, height];
  });
  return [[seen.x, seen.y, seen.width, seen.height], ...places]
    .map((numbers) => numbers.map(Math.round).join(' '))
    .join('/');
}

type Point = Pick<DOMRect, 'x' | 'y'>;
type Box = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>;

const wholePage = (): Box => ({ x: 0, y: 0, width: innerWidth, height: innerHeight });

/** Of the page, while two fingers have made it larger. */
function visiblePart(): Box {
  if (visualViewport === null) return wholePage();
  const { offsetLeft: x, offsetTop: y, width, height } = visualViewport;
  return { x, y, width, height };
}

const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** By a whole pixel: a browser that is asked what is there rounds. */
const isInside = ({ x, y }: Point, box: Box) =>
  x >= box.x && x <= box.x + box.width - 1 && y >= box.y && y <= box.y + box.height - 1;
