import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Text } from './markdown.tsx';

const render = (text: string) => renderToStaticMarkup(createElement(Text, null, text));

describe('WC-31 Markdown of agents', () => {
  it.each([
    ['text', 'pay \u202e1'],
    ['raw HTML', '<div>\npay \u202e1\n</div>'],
    ['a tag', 'pay <b title="\u202e">1</b>'],
    ['a comment', 'a <!-- \u202e --> b'],
    ['code', '`\u202e`'],
    ['a block of code', '```\n\u202e\n```'],
    ['a heading', '# \u202e'],
    ['a link', '[a\u202e](https://a.example)'],
    ['a cell', '|a|\n|-|\n|\u202e|'],
    ['a language', '```\u202ejs\na\n```'],
    ['an entity', '&#x202e;'],
  ])('attack: hidden characters are named in %s', (_, text) => {
    expect(render(text)).not.toContain('\u202e');
    expect(render(text)).toContain('[U+202E]');
  });
});
