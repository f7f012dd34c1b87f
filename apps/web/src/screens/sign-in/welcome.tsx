import type { ReactNode } from 'react';
import { Preferences } from '../../shell/preferences.tsx';

const focus = (title: HTMLElement | null) => title?.focus();

/** The layout of all pages before the app itself. */
export function Welcome({
  title,
  lead,
  interrupts = false,
  children,
}: {
  readonly title?: string;
  readonly lead?: string | undefined;
  /** It has taken the place of something: the title gets the focus, so that it is read, and no key presses a button. */
  readonly interrupts?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="grid w-full max-w-md gap-6">
        <header className="grid gap-3">
          <img src="/app/icon.svg" alt="Parley" className="size-12" />
          {title && (
            <h1
              ref={interrupts ? focus : undefined}
              tabIndex={interrupts ? -1 : undefined}
              className="text-2xl font-semibold tracking-tight outline-none"
            >
              {title}
            </h1>
          )}
          {lead && <p className="text-muted">{lead}</p>}
        </header>
        <div className="grid gap-4 rounded-card border bg-surface p-6 shadow-card">{children}</div>
        <Preferences />
      </div>
    </main>
  );
}
