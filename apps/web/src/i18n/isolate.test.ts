import { describe, expect, it } from 'vitest';
import { isolate, withoutIsolates } from './isolate.ts';

describe('WC-82 names from right to left', () => {
  it('WC-82 they are isolated, and others are not touched', () => {
    expect(isolate('עוזר')).toBe('\u2068עוזר\u2069');
    expect(isolate('مساعد 2')).toBe('\u2068مساعد 2\u2069');
    const others = ['Adlam 𞤀𞤣', 'Rohingya 𐴌𐴟', 'Samaritan ࠔࠌ', 'Mandaic ࡌࡀ', 'Mende 𞠀𞠁', 'Syriac ܐܒ', 'N’Ko ߒߞ', 'ﷺ'];
    for (const name of others) expect(isolate(name)).toBe(`\u2068${name}\u2069`);
    for (const name of ['DemoBot', '助手', '<b>&', '']) expect(isolate(name)).toBe(name);
  });

  it('WC-82 what is written for a person to send has no letters that they do not see', () => {
    expect(withoutIsolates(`Please read “${isolate('דוח.txt')}” again.`)).toBe('Please read “דוח.txt” again.');
  });
});
