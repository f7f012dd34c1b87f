import { displayLines, displayText } from '@parley/documents';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import Markdown, { type Components } from 'react-markdown';
import { CodeBlock } from './code-block.tsx';
import { readAddress } from './find-links.ts';
import { type Element, textOf, withSafeContent, withTables } from './markdown/plugins.ts';
import { splitMarkdown } from './markdown/split.ts';
import { SafeLink } from './safe-link.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { TypedText } from './typed-text.tsx';

/**
 * Formats Markdown without raw HTML, which stays text, and without pictures from elsewhere (TC-9, WC-31). It is hostile:
 * what would take too long to read is shown as it is.
 */
export function Text({ children }: { readonly children: string }) {
  return (
    <div dir="auto" className="prose-parley min-w-0 break-words">
      {splitMarkdown(children).map(({ text, isPlain }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
        isPlain ? <TypedText key={index}>{text}</TypedText> : <Formatted key={index} text={text} />,
      )}
    </div>
  );
}

const Formatted = memo(({ text }: { readonly text: string }) => (
  <Markdown
    remarkPlugins={REMARK}
    rehypePlugins={REHYPE}
    disallowedElements={NEVER}
    urlTransform={(url) => readAddress(url) ?? ''}
    components={COMPONENTS}
  >
    {text}
  </Markdown>
));

const REMARK = [withTables];
const REHYPE = [withSafeContent];
const NEVER = ['img', 'iframe'];

/** Below the title of the conversation, so that a message cannot pass for a part of the page. */
const COMPONENTS: Components = {
  h1: ({ children }) => <h3 className="text-xl">{children}</h3>,
  h2: ({ children }) => <h4 className="text-lg">{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  h6: ({ children }) => <h6>{children}</h6>,
  a: ({ href, node, children }) => <Link href={href} node={node} label={children} />,
  pre: ({ node }) => <Code node={node} />,
  code: ({ node }) => <code dir="ltr">{displayLines(textOf(node))}</code>,
  table: ({ children }) => (
    <ScrollArea as="div" className="overflow-x-auto">
      <table>{children}</table>
    </ScrollArea>
  ),
  input: ({ checked }) => <Task isDone={checked === true} />,
};

interface LinkProps {
  readonly href: string | undefined;
  readonly node: Element | undefined;
  readonly label: React.ReactNode;
}

function Link({ href, node, label }: LinkProps) {
  const { t } = useTranslation('parts');
  const isPicture = node?.properties.dataPicture !== undefined;
  const shown = isPicture ? t('link.picture', { name: label }) : label;
  return href ? (
    <SafeLink href={href} text={node === undefined ? '' : flatten(node)}>
      {shown}
    </SafeLink>
  ) : (
    <span>{shown}</span>
  );
}

function flatten({ children }: Element): string {
  return children
    .map((child) => (child.type === 'element' ? flatten(child) : 'value' in child ? child.value : ''))
    .join('');
}

function Code({ node }: { readonly node: Element | undefined }) {
  const { t } = useTranslation('parts');
  const code = node?.children.find((child) => child.type === 'element');
  const [name = ''] = [code?.properties.className].flat();
  const language = displayText(String(name ?? '').replace(/^language-/, ''), 30);
  return <CodeBlock label={language || t('code')} text={textOf(node).replace(/\n$/, '')} />;
}

function Task({ isDone }: { readonly isDone: boolean }) {
  const { t } = useTranslation('parts');
  return (
    <span role="img" aria-label={t(isDone ? 'taskDone' : 'taskOpen')} className="mr-1.5 inline-block">
      {isDone ? '☑' : '☐'}
    </span>
  );
}
