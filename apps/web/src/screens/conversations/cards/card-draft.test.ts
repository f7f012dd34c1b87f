import type { Card } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import {
  type CardDraft,
  currentValue,
  type Field,
  formatDraft,
  lostOf,
  parseDraft,
  setValue,
  withoutSame,
  withoutSecrets,
  withoutSent,
} from './card-draft.ts';

const name: Field = { tag: 'input', id: 'name', label: 'Name', value: 'Ada' };
const size: Field = {
  tag: 'select',
  id: 'size',
  options: [
    { value: 's', label: 'Small' },
    { value: 'l', label: 'Large' },
  ],
};
const spicy: Field = { tag: 'checkbox', id: 'spicy' };
const card = (...blocks: Card['blocks']): Card => ({ artifact_id: 'a', subtype: 'form', blocks });
const type = (field: Field, value: string | boolean, draft: CardDraft = new Map()) => setValue(draft, field, { value });

describe('WC-23 what was typed into a card', () => {
  it('WC-23 is kept as long as it differs from the card, and read again', () => {
    const draft = type(spicy, true, type(size, 'l', type(name, 'Grace')));
    const again = parseDraft(formatDraft(draft));
    expect([name, size, spicy].map((field) => currentValue(field, again))).toEqual(['Grace', 'l', true]);
    const back = type(spicy, false, type(size, 's', type(name, 'Ada', draft)));
    expect(formatDraft(back)).toBe('');
    for (const broken of ['', '{', '[1]', '{"name":1}', '{"name":{"value":{}}}', 'null'])
      expect(currentValue(name, parseDraft(broken))).toBe('Ada');
  });

  it('WC-23 attack: a draft whose labels are no text keeps what was typed, and can be shown', () => {
    const typed = { tag: 'input', value: 'Grace' };
    for (const label of [undefined, null, 7, {}, ['a']]) {
      const draft = parseDraft(JSON.stringify({ name: { ...typed, label } }));
      expect(lostOf(draft, card())).toEqual([{ id: 'name', ...typed, label: 'name' }]);
    }
  });

  it('WC-23 a revision keeps it where id and kind are the same, and says what has no place any more', () => {
    const draft = type(spicy, true, type(size, 'l', type(name, 'Grace')));
    expect(currentValue({ ...name, label: 'Your name', value: 'Bob' }, draft)).toBe('Grace');
    expect(lostOf(draft, card(name, size, spicy))).toEqual([]);
    const small: Field = { ...size, options: [{ value: 's', label: 'Small' }] };
    expect(currentValue(small, draft)).toBe('s');
    expect(lostOf(draft, card({ tag: 'checkbox', id: 'name' }, small))).toMatchObject([
      { id: 'name', label: 'Name', value: 'Grace' },
      { id: 'size', value: 'l' },
      { id: 'spicy', value: true },
    ]);
    expect(lostOf(type(name, ''), card())).toEqual([]);
  });

  it('WC-23 attack: a field that becomes a secret one does not get what was typed for all to see', () => {
    const secret: Field = { tag: 'input', id: 'name', secret: true };
    expect(currentValue(secret, type(name, 'Grace'))).toBe('');
    const kept = withoutSecrets(type(spicy, true, type(name, 'Grace')), card(secret, spicy));
    expect(lostOf(kept, card(secret, spicy))).toEqual([]);
    expect(formatDraft(kept)).toBe(formatDraft(type(spicy, true)));
  });

  it('WC-25 what is typed in one place while the other sends is not thrown away', () => {
    const sent = type(spicy, true, type(name, 'Grace'));
    expect(formatDraft(withoutSent(sent, sent))).toBe('');
    const changed = type(size, 'l', type(name, 'Grace Hopper', sent));
    expect([...withoutSent(changed, sent).keys()]).toEqual(['name', 'size']);
  });

  it('WC-23 what an answer of an earlier run has sent is no draft any more; what differs from it is', () => {
    const draft = type(spicy, true, type(size, 'l', type(name, 'Grace')));
    const answered = { name: 'Grace', size: 's', spicy: true };
    expect([...withoutSame(draft, card(name, size, spicy), answered).keys()]).toEqual(['size']);
    expect([...withoutSame(draft, card(name, size), { name: 'Grace' }).keys()]).toEqual(['size', 'spicy']);
    expect(withoutSame(draft, card(name), undefined)).toBe(draft);
  });

  it('WC-24 what was answered before is what a second answer begins with', () => {
    expect(currentValue(name, new Map(), { name: 'Grace' })).toBe('Grace');
    expect(currentValue(size, new Map(), { size: 'gone' })).toBe('s');
    expect(formatDraft(setValue(new Map(), name, { value: 'Grace', answered: { name: 'Grace' } }))).toBe('');
    expect(currentValue({ ...name, id: 'constructor' }, new Map(), {})).toBe('Ada');
  });
});
