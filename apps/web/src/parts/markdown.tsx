import Markdown from 'react-markdown';

/** Renders Markdown without raw HTML and without remote pictures. A link shows its target and opens in a new tab (TC-9). */
export function Text({ children }: { readonly children: string }) {
  return (
    <div className="prose-parley min-w-0 break-words">
      <Markdown
        skipHtml
        disallowedElements={['img', 'iframe']}
        urlTransform={(url) => (/^(https?|mailto):/i.test(url) ? url : '')}
        components={{
          a: ({ href, children: label }) => (
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer nofollow"
              title={href}
              className="text-accent underline"
            >
              {label}
            </a>
          ),
        }}
      >
        {children}
      </Markdown>
    </div>
  );
}
