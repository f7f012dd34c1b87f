import type { Block } from '@parley/protocol';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Field } from './card-draft.ts';
import { CardField } from './card-field.tsx';

describe('WC-31 the fields of a card', () => {
  it.each([
    { tag: 'input', id: 'appendChild' },
    { tag: 'input', id: 'appendChild', secret: true },
    { tag: 'input', id: 'removeChild', multiline: true },
    { tag: 'checkbox', id: 'removeChild' },
    { tag: 'select', id: 'appendChild', options: [{ value: 'a', label: 'A' }] },
  ] satisfies Block[])(
    'attack: the name of a field hides a function of its form, which stops the page: %o',
    (block) => {
      const field: Field = block;
      const shown = renderToStaticMarkup(
        createElement(CardField, { field, value: '', disabled: false, onChange: () => {} }),
      );
      expect(shown).not.toContain(`name="${field.id}"`);
      expect(shown).toContain(`name="field/${field.id}"`);
    },
  );
});
