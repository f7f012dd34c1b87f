import { displayLines } from '@parley/documents';
import { CopyButton } from './copy-button.tsx';
import { ScrollArea } from './scroll-area.tsx';

/** Shows code with a button to copy it. Hidden characters are named; what is copied is the code itself. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="overflow-hidden rounded-lg border bg-raised">
      <figcaption className="flex items-center justify-between gap-3 border-b bg-surface px-3 py-2 text-sm font-medium">
        {label}
        <CopyButton text={text} />
      </figcaption>
      <ScrollArea as="pre" dir="ltr" className="overflow-x-auto px-3 py-3 font-mono text-xs leading-relaxed">
        {displayLines(text)}
      </ScrollArea>
    </figure>
  );
}
