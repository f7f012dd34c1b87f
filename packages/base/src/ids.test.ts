import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ID_PATTERN, isId, TIMED_ID_PATTERN, toRandomId, toTimedId } from './index.ts';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe('HS-20 ids', () => {
  it('HS-20 the vector of RFC 9562, appendix A.6: version 7', () => {
    const random = Uint8Array.from([0, 0, 0, 0, 0, 0, 0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
    expect(toTimedId(new Date(0x017f22e279b0), random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  it('HS-20 every id fits its pattern, and what is around it does not', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true }),
        (random, time) => {
          expect(toRandomId(random)).toMatch(/^.{14}4.{4}[89ab]/);
          expect(toTimedId(time, random)).toMatch(new RegExp(TIMED_ID_PATTERN));
          for (const id of [toRandomId(random), toTimedId(time, random)]) {
            expect(id).toMatch(new RegExp(ID_PATTERN));
            expect([isId(id), isId(` ${id}`), isId(`${id}\n`), isId(id.toUpperCase().replace('-', ''))]).toEqual([
              true,
              false,
              false,
              false,
            ]);
          }
        },
      ),
    );
  });

  it('HS-20 ids of version 7 sort by time', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, time, bytes, bytes, (a, b, one, two) => {
        fc.pre(a < b);
        expect(toTimedId(new Date(a), one) < toTimedId(new Date(b), two)).toBe(true);
      }),
    );
  });

  it('HS-20 the random bytes are not altered, and too few are refused', () => {
    const random = new Uint8Array(16).fill(255);
    toTimedId(new Date(0), random);
    expect(random).toEqual(new Uint8Array(16).fill(255));
    expect(() => toRandomId(new Uint8Array(15))).toThrow(TypeError);
  });
});
