import type { HTMLAttributes } from 'react';

interface ScrolledProps extends HTMLAttributes<HTMLElement> {
  readonly as: 'pre' | 'div' | 'section' | 'code';
}

/** What may be larger than its place and scrolls by itself: a stop of its own, so that keys can scroll it, too. */
export function Scrolled({ as: Element, ...rest }: ScrolledProps) {
  return <Element tabIndex={0} {...rest} />;
}
