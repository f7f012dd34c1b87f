import { displayLines } from '@parley/documents';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item';
import type { ExtraProps } from 'react-markdown';
import { findLinks } from '../find-links.ts';

export type Element = NonNullable<ExtraProps['node']>;
type Content = Element['children'][number];

interface Processor {
  data(): { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
}

/**
 * Tables, strike-through and task lists. Not all of GFM: footnotes would write links and ids into the page, and its
 * search for bare links takes time in proportion to the square of the text.
 */
export function withTables(this: unknown): void {
  const data = (this as Processor).data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push(gfmTable(), gfmStrikethrough({ singleTilde: false }), gfmTaskListItem());
  data.fromMarkdownExtensions ??= [];
  data.fromMarkdownExtensions.push(
    gfmTableFromMarkdown(),
    gfmStrikethroughFromMarkdown(),
    gfmTaskListItemFromMarkdown(),
  );
}

/** Names hidden characters, makes bare addresses links, and pictures links to them: showing one would tell its server who reads. */
export function withSafeContent() {
  return (root: { children: unknown[] }) => {
    root.children = rewrite(root.children as Content[], { inLink: false });
  };
}

function rewrite(children: readonly Content[], { inLink }: { readonly inLink: boolean }): Content[] {
  return children.flatMap((child): Content[] => {
    if (child.type === 'text') return inLink ? [toText(child.value)] : findLinks(child.value).map(toContent);
    // Raw HTML, which is shown as it is.
    if (child.type !== 'element') return 'value' in child ? [toText(child.value)] : [child];
    const { tagName, properties } = child;
    if (tagName === 'img') {
      const label = String(properties.alt ?? '') || String(properties.src ?? '');
      return inLink ? [toText(label)] : [toLink(String(properties.src ?? ''), label, { picture: true })];
    }
    // What is copied is what was sent.
    if (tagName === 'pre' || tagName === 'code') return [child];
    return [
      { ...child, children: rewrite(child.children, { inLink: inLink || tagName === 'a' }) as Element['children'] },
    ];
  });
}

const toText = (value: string): Content => ({ type: 'text', value: displayLines(value) });
const toContent = ({ text, href }: { text: string; href?: string }) =>
  href === undefined ? toText(text) : toLink(href, text);

function toLink(href: string, label: string, { picture = false } = {}): Content {
  const properties = { href, ...(picture ? { dataPicture: 'true' } : {}) };
  return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: displayLines(label) }] };
}

/** The text of code, as it was sent. */
export function textOf(node: Element | undefined): string {
  const [first] = node?.children ?? [];
  if (first?.type === 'text') return first.value;
  return first?.type === 'element' ? textOf(first) : '';
}
