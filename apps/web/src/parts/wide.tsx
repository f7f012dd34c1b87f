import type { ReactNode } from 'react';

/** What may be wider than the page, such as a table: scrolls by itself, by keyboard too. */
export function Wide({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-card border bg-surface"
    >
      {children}
    </section>
  );
}
