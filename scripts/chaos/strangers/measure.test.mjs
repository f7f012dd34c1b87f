import { describe, expect, test } from 'vitest';
import { ATTACKS } from './attacks/index.mjs';
import { judge, quantile, ratioOf, summarise } from './measure.mjs';
import { formatHead, formatRow } from './table.mjs';

const quiet = summarise([9, 10, 11]);
const fine = {
  quiet,
  ack: summarise([20, 40, 60]),
  webhook: summarise([300]),
  newcomer: summarise([5]),
  recovery: 800,
};

describe('OP-3 OP-4 what an innocent notices', () => {
  test('OP-3 the median may be ten times the quiet one, and no more', () => {
    expect(judge(fine)).toEqual([]);
    expect(judge({ ...fine, ack: summarise([1, 100, 1_900]) })).toEqual([]);
    expect(judge({ ...fine, ack: summarise([1, 101, 101]) })).toEqual([
      'acks took 101 ms, 10.1 times the quiet median',
    ]);
  });

  test('OP-3 attack: a server that stands still for less than half of the time is not held to be quick', () => {
    const quick = Array.from({ length: 51 }, () => 10);
    const stalled = [...quick, ...Array.from({ length: 49 }, () => 2_500)];
    expect(judge({ ...fine, ack: summarise(stalled) })).toEqual(['1 of 20 acks took 2500 ms or longer']);
    expect(judge({ ...fine, ack: summarise([...quick, 5_001]) })).toEqual(['an ack took 5001 ms']);
    expect(judge({ ...fine, ack: summarise([...quick, 5_000]) })).toEqual([]);
  });

  test('OP-3 a server that is too quick to be measured is not blamed for a few milliseconds', () => {
    expect(ratioOf(summarise([0.1]), summarise([30]))).toBe(10);
  });

  test('OP-4 a webhook is delivered within two seconds', () => {
    expect(judge({ ...fine, webhook: summarise([100, 2_001]) })).toEqual(['webhooks took 2001 ms']);
  });

  test('OP-4 attack: one of thirty webhooks that never comes is not held to be in time', () => {
    const quick = Array.from({ length: 29 }, () => 100);
    expect(judge({ ...fine, webhook: summarise([...quick, 30_000]) })).toEqual([
      'a webhook took 30000 ms or never came',
    ]);
    expect(judge({ ...fine, webhook: summarise([...quick, 5_000]) })).toEqual([]);
  });

  test('OP-3 attack: a server that does not recover when the attack is over has not held', () => {
    expect(judge({ ...fine, recovery: undefined })).toEqual(['it was not as before 30 s after the attack']);
    expect(judge({ ...fine, recovery: undefined, ended: 'out of memory' })).toEqual([
      'the server ended: out of memory',
    ]);
  });

  test('OP-3 attack: a server that ended, and one that was never asked, do not count as quick', () => {
    expect(judge({ ...fine, ended: 'out of memory' })).toEqual(['the server ended: out of memory']);
    expect(judge({ ...fine, ack: summarise([]), webhook: summarise([]) })).toHaveLength(2);
  });

  test('OP-7 newcomers count where an attack is about them', () => {
    const slow = { ...fine, newcomer: summarise([2_500]) };
    expect(judge(slow)).toEqual([]);
    expect(judge({ ...slow, guardsNewcomers: true })).toEqual(['newcomers waited 2500 ms']);
  });

  test('OP-3 OP-4 every attack has a name of its own, and each of the seven kinds is there', () => {
    expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
    expect([...new Set(ATTACKS.map(({ item }) => item))].sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('OP-3 the table has a column for everything that is judged', () => {
    const times = { median: 12, p95: 1_500, slowest: 1_600, count: 3 };
    const row = {
      name: 'acks-1',
      quiet_ms: times,
      ack_ms: times,
      ratio: 1,
      webhook_ms: times,
      newcomer_ms: times,
      recovery_ms: null,
      memory_mb: 200,
      faults: [],
    };
    expect(formatRow(row)).toMatch(/^acks-1 +12 ms +12 ms +1.5 s +1.6 s +1 +1.5 s +1.5 s +not in 30 s +200 MB +held$/);
    expect(formatHead().split(/ +/)).toHaveLength(10);
  });

  test('OP-3 a quantile is one of the values', () => {
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
    expect(quantile([1], 0.95)).toBe(1);
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
