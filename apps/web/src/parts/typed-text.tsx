import { displayLines } from '@parley/documents';
import { findLinks } from './find-links.ts';
import { SafeLink } from './safe-link.tsx';

/** A text exactly as someone typed it: its lines and spaces, and no markup (WC-30). Only addresses can be followed. */
export function TypedText({ children }: { readonly children: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {findLinks(children).map(({ text, href }, index) =>
        href === undefined ? (
          displayLines(text)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move
          <SafeLink key={index} href={href} text={text}>
            {text}
          </SafeLink>
        ),
      )}
    </p>
  );
}
