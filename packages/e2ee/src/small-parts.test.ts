import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agent, makeKeys, seeded, uuid } from '../tests/harness.ts';
import { fromBase64Url, isEqual, toBase64Url, uint } from './bytes.ts';
import { browserCrypto } from './provider/browser.ts';
import { nodeCrypto } from './provider/node.ts';
import { findRepetition, NOTHING_SEEN, remember, type Seen } from './replay.ts';
import { keyFingerprint, safetyNumber } from './safety-number.ts';
import { readState, writeState } from './state-text.ts';

describe('base64url', () => {
  it('EE-3 writes as the platform does and reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url');
        expect(toBase64Url(bytes)).toBe(text);
        expect(fromBase64Url(text)).toEqual(bytes);
      }),
      { seed: 1 },
    );
  });

  it('EE-11 one spelling: what is not written is not read', () => {
    for (const text of ['A', 'AB', 'AAB', 'AA==', 'AA+A', 'AA/A', ' AAA', 'AAA\n', 'AAÄA', 'AAAAA', '\u0100AAA']) {
      expect(fromBase64Url(text)).toBeUndefined();
    }
  });
});

describe('HMAC', () => {
  it('EE-13 by hand it is what the platform says, for keys and texts of any length', () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(bytes, bytes, (key, text) => {
        const expected = createHmac('sha256', key).update(text).digest();
        expect(Buffer.from(nodeCrypto.hmacSha256(key, text))).toEqual(expected);
        // What was used before is gone from the memory that is used again.
        const again = createHmac('sha256', text).update(key).digest();
        expect(Buffer.from(nodeCrypto.hmacSha256(text, key))).toEqual(again);
      }),
      { seed: 2 },
    );
  });
});

describe('bytes', () => {
  it('EE-13 compares whole values and writes big-endian numbers', () => {
    expect(isEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
    expect(isEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
    expect(isEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false);
    expect([...uint(2_147_483_647, 4)]).toEqual([127, 255, 255, 255]);
    expect([...uint(258, 2)]).toEqual([1, 2]);
  });
});

describe('the memory of what was seen', () => {
  const at = (n: number, by: Seen['by'] = 'time'): Seen => ({
    name: `m${n}`,
    createdAt: new Date(n * 1000).toISOString(),
    by,
  });
  const fill = (count: number, by: (n: number) => Seen['by']) => {
    let guard = NOTHING_SEEN;
    for (let n = 0; n < count; n++) {
      expect(findRepetition(guard, at(n, by(n)))).toBeUndefined();
      guard = remember(guard, at(n, by(n)), ['key']);
      expect(findRepetition(guard, at(n, by(n)))).toBe('replayed');
    }
    return guard;
  };
  const counted = (n: number) => ({ key: 'key', n });

  it('EE-11 remembers each message by name, and without a ratchet or a number the time of older ones', () => {
    const guard = fill(3_000, () => 'time');
    expect(findRepetition(guard, at(0))).toBe('stale');
    expect(findRepetition(guard, at(2_999))).toBe('replayed');
    expect(findRepetition(guard, at(3_000))).toBeUndefined();
  });

  it('EE-11 stays small, and takes what is late but not too late', () => {
    let guard = NOTHING_SEEN;
    for (let n = 0; n < 5_000; n++) if (n !== 4_900) guard = remember(guard, at(n));
    const names = guard.buckets.reduce((sum, bucket) => sum + bucket.names.size, 0);
    expect(names).toBeLessThanOrEqual(256);
    expect(findRepetition(guard, at(4_900))).toBeUndefined();
  });

  it('EE-25 where a ratchet decides, a clock that was put back makes nothing a repetition', () => {
    const guard = fill(600, () => 'ratchet');
    const before = new Date(0).toISOString();
    expect(findRepetition(guard, { name: 'new', createdAt: before, by: 'ratchet' })).toBeUndefined();
    expect(findRepetition(guard, at(599, 'ratchet'))).toBe('replayed');
  });

  it('EE-25 under a group key the number decides: each is taken once, in any order, whatever the time says', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Array.from({ length: 60 }, (_, n) => n)), (order) => {
        let guard = fill(300, counted);
        const before = new Date(0).toISOString();
        const seen = (n: number): Seen => ({ name: `late${n}`, createdAt: before, by: counted(300 + n) });
        for (const n of order) {
          expect(findRepetition(guard, seen(n))).toBeUndefined();
          guard = remember(guard, seen(n), ['key']);
        }
        for (const n of order) expect(findRepetition(guard, { ...seen(n), name: 'renamed' })).toBe('replayed');
      }),
      { seed: 3, numRuns: 20 },
    );
  });

  it('EE-25 a number too far back to be known is told, not dropped; a gap of any size costs no more', () => {
    let guard = fill(5, counted);
    guard = remember(guard, at(9, counted(2_000_000_000)), ['key']);
    expect(guard.counts?.[0]?.missing).toHaveLength(1_000);
    expect(findRepetition(guard, at(10, counted(1_999_999_999)))).toBeUndefined();
    expect(findRepetition(guard, at(11, counted(7)))).toBe('stale');
    expect(findRepetition(guard, at(12, counted(2_000_000_000)))).toBe('replayed');
    for (let n = 1; n <= 1_500; n++) guard = remember(guard, at(100 + n, counted(2_000_000_000 + 2 * n)), ['key']);
    expect(guard.counts?.[0]?.missing).toHaveLength(1_000);
  });

  it('EE-25 counts only for keys that can still open something', () => {
    let guard = remember(NOTHING_SEEN, at(1, { key: 'one', n: 0 }), ['one']);
    guard = remember(guard, at(2, { key: 'two', n: 0 }), ['one', 'two']);
    expect(guard.counts?.map(({ key }) => key)).toEqual(['one', 'two']);
    guard = remember(guard, at(3, { key: 'two', n: 1 }), ['two']);
    expect(guard.counts).toEqual([{ key: 'two', next: 2, missing: [], unknown: 0 }]);
  });

  it('EE-11 the memory that was is not altered', () => {
    const before = remember(NOTHING_SEEN, at(1));
    remember(before, at(2));
    expect(findRepetition(before, at(2))).toBeUndefined();
    expect(NOTHING_SEEN.buckets).toEqual([]);
  });
});

describe('safety numbers', () => {
  const crypto = seeded(nodeCrypto, 'safety');
  const one = { id: uuid(1), key: crypto.randomBytes(32) };
  const other = { id: uuid(2), key: crypto.randomBytes(32) };

  it('EE-9 are 60 digits, the same on both sides and in both providers', () => {
    const number = safetyNumber(crypto, one, other);
    expect(number).toMatch(/^\d{60}$/);
    expect(safetyNumber(crypto, other, one)).toBe(number);
    expect(safetyNumber(browserCrypto, one, other)).toBe(number);
  });

  it('EE-9 machine in the middle: another key or another owner gives another number', () => {
    const number = safetyNumber(crypto, one, other);
    expect(safetyNumber(crypto, one, { ...other, key: crypto.randomBytes(32) })).not.toBe(number);
    expect(safetyNumber(crypto, one, { ...other, id: uuid(3) })).not.toBe(number);
  });

  it('EE-9 a fingerprint for links names one owner and one key', () => {
    const print = keyFingerprint(crypto, one);
    expect(print).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(keyFingerprint(crypto, { ...one, key: other.key })).not.toBe(print);
    expect(keyFingerprint(crypto, { ...one, id: other.id })).not.toBe(print);
  });
});

describe('states as text', () => {
  it('EE-10 come back as they were', () => {
    const keys = makeKeys(seeded(nodeCrypto, 'state'), agent(1));
    expect(readState(writeState(keys))).toEqual(keys);
  });

  it('EE-10 what cannot be read is not shown', () => {
    for (const text of ['secret', '{"key":{"$bytes":"secret!"}}', '{"map":{"$map":7}}']) {
      expect(() => readState(text)).toThrow(/^the state cannot be read$/);
    }
  });
});
