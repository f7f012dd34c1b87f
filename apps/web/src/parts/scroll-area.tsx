import type { HTMLAttributes } from 'react';

interface ScrollAreaProps extends HTMLAttributes<HTMLElement> {
  readonly as: 'pre' | 'div' | 'section' | 'code';
}

/** A box that scrolls on its own. It is a tab stop, so that it can be scrolled by keyboard. */
export function ScrollArea({ as: Element, ...rest }: ScrollAreaProps) {
  return <Element tabIndex={0} {...rest} />;
}
