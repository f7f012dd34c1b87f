import type { ReactNode } from 'react';

/** Adds the margins of an ordinary page; conversations fill the whole window instead. */
export function Page({ children }: { readonly children: ReactNode }) {
  return <div className="mx-auto w-full max-w-5xl px-4 py-6 sm:px-8 sm:py-10">{children}</div>;
}
