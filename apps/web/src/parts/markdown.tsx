import Markdown from 'react-markdown';

/** TC-9: without raw HTML, without pictures from elsewhere; a link says where it goes and opens apart. */
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
