import type { ReactNode } from 'react';
import { ScrollArea } from './scroll-area.tsx';

/** A frame for content that may be wider than the page, such as a table. It scrolls by itself, also by keyboard. */
export function WideContent({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ScrollArea as="section" aria-label={label} className="overflow-x-auto rounded-card border bg-surface">
      {children}
    </ScrollArea>
  );
}
