import { CopyButton } from './copy-button.tsx';

/** Code to read and copy. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="overflow-hidden rounded-lg border bg-raised">
      <figcaption className="flex items-center justify-between gap-3 border-b bg-surface px-3 py-2 text-sm font-medium">
        {label}
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr" className="overflow-x-auto px-3 py-3 font-mono text-xs leading-relaxed">
        {text}
      </pre>
    </figure>
  );
}
