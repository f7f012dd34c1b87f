import { describe, expect, it } from 'vitest';
import { formatContactCode, makeContactCode, readContactCode } from './contact-code.ts';

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const code = makeContactCode(Uint8Array.of(0x5a, 1, 2, 250, 4, 77, 6));

describe('AC-7 contact codes', () => {
  it('AC-7 are read as people type them', () => {
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
    const shown = formatContactCode(code);
    expect(shown).toMatch(/^.{4}-.{4}-.{4}$/);
    for (const typed of [code, shown, ` ${shown.toLowerCase()} `, shown.replaceAll('-', ' ')]) {
      expect(readContactCode(typed)).toBe(code);
    }
    const zeros = makeContactCode(new Uint8Array(7));
    expect(zeros).toBe('000000000000');
    expect(readContactCode('OOOO-oooo-0000')).toBe(zeros);
    const ones = makeContactCode(Uint8Array.of(0, 0, 0, 0, 0, 0, 1));
    expect(readContactCode(ones.replaceAll('1', 'l'))).toBe(ones);
  });

  it('AC-7 a mistyped letter and two that changed places are noticed', () => {
    for (let at = 0; at < code.length; at++) {
      for (const letter of LETTERS) {
        if (letter === code[at]) continue;
        expect([at, letter, readContactCode(code.slice(0, at) + letter + code.slice(at + 1))]).toEqual([
          at,
          letter,
          undefined,
        ]);
      }
      const [one, other] = [code[at], code[at + 1]];
      if (other === undefined || one === other) continue;
      expect(readContactCode(code.slice(0, at) + other + one + code.slice(at + 2))).toBeUndefined();
    }
    for (const text of ['', code.slice(1), `${code}0`, 'U'.repeat(12), 'пароль-код-1']) {
      expect(readContactCode(text)).toBeUndefined();
    }
  });

  it('AC-7 are made of the given bytes', () => {
    expect(makeContactCode(new Uint8Array(7).fill(255))).toMatch(/^ZZZZZZZZZZ/);
    expect(() => makeContactCode(new Uint8Array(6))).toThrow(TypeError);
  });
});
