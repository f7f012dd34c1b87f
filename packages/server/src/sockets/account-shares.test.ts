import { describe, expect, it } from 'vitest';
import { createAccountShares } from './account-shares.ts';

function setUp(limit: number, maxWaiting = 100) {
  const ends: string[] = [];
  const held = new Map<string, number>();
  const hold = (account: string) => {
    held.set(account, (held.get(account) ?? 0) + 1);
    return () => void held.set(account, held.get(account)! - 1);
  };
  const shares = createAccountShares({ limitOf: () => limit, maxWaiting, hold });
  const enter = (account: string, name: string) =>
    shares.enter(account, {
      replace: () => void ends.push(`${name} replaced`),
      cutOff: () => void ends.push(`${name} cut off`),
    });
  return { enter, ends, held };
}

describe('OP-1 what an account’s sockets have together', () => {
  it('OP-1 attack: agents do not multiply the sockets; the oldest is replaced, and another account’s is not', () => {
    const { enter, ends, held } = setUp(3);
    enter('ann', 'ann 1');
    for (let n = 1; n <= 5; n++) enter('eve', `eve ${n}`);
    expect(ends).toEqual(['eve 1 replaced', 'eve 2 replaced']);
    expect([held.get('eve'), held.get('ann')]).toEqual([3, 1]);
  });

  it('OP-1 attack: of an account’s sockets that read nothing the fullest are cut off, and no more of them', () => {
    const { enter, ends } = setUp(10);
    const [small, large, other] = [enter('eve', 'small'), enter('eve', 'large'), enter('ann', 'other')];
    small.note(30);
    large.note(60);
    other.note(100);
    expect(ends).toEqual([]);
    small.note(50);
    expect(ends).toEqual(['large cut off']);
    // What it says afterwards does not count.
    large.note(1_000);
    small.note(100);
    expect(ends).toEqual(['large cut off']);
  });

  it('OP-1 what was read counts no more, nor does a socket that has left', () => {
    const { enter, ends, held } = setUp(2);
    const [first, second] = [enter('eve', 'first'), enter('eve', 'second')];
    first.note(90);
    first.note(0);
    second.note(90);
    second.leave();
    second.leave();
    first.note(90);
    enter('eve', 'third').note(10);
    expect([ends, held.get('eve')]).toEqual([[], 2]);
  });
});
