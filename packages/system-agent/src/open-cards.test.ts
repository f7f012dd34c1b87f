import { describe, expect, it } from 'vitest';
import { OpenCards } from './open-cards.ts';

const card = (conversationId: string) => ({ conversationId, resume: async () => {} });

describe('SA-1 what is remembered', () => {
  it('SA-1 a card is answered once, and only where it was sent', () => {
    const cards = new OpenCards();
    cards.add('a', card('one'));
    expect(cards.take('a', 'two')).toBeUndefined();
    expect(cards.take('a', 'one')).toBeDefined();
    expect(cards.take('a', 'one')).toBeUndefined();
  });

  it('SA-1 attack: asking without end costs the asker’s own oldest cards', () => {
    const cards = new OpenCards();
    cards.add('quiet', card('other'));
    for (let n = 0; n < 100; n++) cards.add(`c${n}`, card('loud'));
    expect(cards.take('c0', 'loud')).toBeUndefined();
    expect(cards.take('c99', 'loud')).toBeDefined();
    expect(cards.take('quiet', 'other')).toBeDefined();
    for (let n = 0; n < 2_000; n++) cards.add(`d${n}`, card(`conversation ${n}`));
    expect(cards.take('d999', 'conversation 999')).toBeUndefined();
    expect(cards.take('d1999', 'conversation 1999')).toBeDefined();
    cards.close('conversation 1998');
    expect(cards.take('d1998', 'conversation 1998')).toBeUndefined();
  });
});
