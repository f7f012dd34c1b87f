import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../fit-text.ts';
import { quote, untrustedLines } from './quote-untrusted.ts';

describe('CG-10 text of others in a terminal', () => {
  test('CG-10 terminal escape injection: whatever is sent, only what can be seen arrives', () => {
    const hostile = fc.string({ unit: 'binary', maxLength: 100 });
    fc.assert(
      fc.property(hostile, fc.integer({ min: 20, max: 100 }), (text, columns) => {
        const shown = quote(untrustedLines(text), '│', columns);
        expect(shown).toMatch(/^(│ .*\n)+$/);
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 200 },
    );
  });

  test('CG-10 line forging: a long line goes on behind the bar', () => {
    const text = quote([`word ${'x'.repeat(60)} 中文字符很多很多很多很多很多很多`], '│', 30);
    const lines = text.split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.startsWith('│ ') && displayWidth(line) <= 30)).toBe(true);
  });

  test('TC-9 indentation is kept, tabs and endless spaces are not', () => {
    expect(untrustedLines('if x:\n    go\r\n\tend')).toEqual(['if x:', '    go', '  end']);
    expect(untrustedLines(`a${' '.repeat(500)}b`)[0]!.length).toBeLessThan(50);
    expect(untrustedLines('x\n'.repeat(1_000)).length).toBeLessThan(500);
  });
});
