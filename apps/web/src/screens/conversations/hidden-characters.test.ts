import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { toBase64 } from '../../client/base64.ts';
import { AttachmentView } from './attachment-view.tsx';
import { BlockView } from './cards/card-blocks.tsx';

const TEXT = 'pay 1\u202e000\u202c €\u200b\n\tnow';
const SHOWN = 'pay 1[U+202E]000[U+202C] €[U+200B]\n\tnow';

it('WC-31 attack: hidden characters in the code of a card are named', () => {
  expect(renderToStaticMarkup(createElement(BlockView, { block: { tag: 'code', text: TEXT } }))).toContain(SHOWN);
});

it('WC-31 attack: hidden characters in a text file and in what is written below a file are named', () => {
  const data = toBase64(new TextEncoder().encode(TEXT));
  const attachment = { type: 'file', name: 'a.txt', mime_type: 'text/plain', data, caption: TEXT } as const;
  const shown = renderToStaticMarkup(createElement(AttachmentView, { attachment }));
  expect(shown.split(SHOWN)).toHaveLength(3);
});
