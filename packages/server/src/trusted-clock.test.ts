import { describe, expect, it } from 'vitest';
import { type ClockHistory, type ClockReading, createJumpWatch, judgeClock } from './trusted-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

/** A node that reads its clocks every ten minutes, and keeps what it learns as the database does. */
function setUp() {
  let time = { node: START, database: START, elapsed: 0 };
  let history: ClockHistory = {};
  const judge = () => {
    const verdict = judgeClock(history, time);
    history = { own: time, shared: { readAt: time.database, steadySince: verdict.steadySince } };
    return verdict;
  };
  const read = () => {
    const verdict = judge();
    return 'now' in verdict ? verdict.now : verdict.reason;
  };
  const pass = (ms: number) => {
    time = { node: time.node + ms, database: time.database + ms, elapsed: time.elapsed + ms };
  };
  const jump = (by: Partial<ClockReading>) => {
    time = { ...time, node: time.node + (by.node ?? 0), database: time.database + (by.database ?? 0) };
  };
  const restart = () => {
    history = { shared: history.shared };
    time = { ...time, elapsed: 0 };
  };
  const settle = () => {
    for (let n = 0; n < 7; n++) {
      read();
      pass(10 * MINUTE);
    }
  };
  return { judge, read, pass, jump, restart, settle, time: () => time };
}

describe('OP-13 the clock of retention', () => {
  it('OP-13 is believed after an hour in which it did not jump', () => {
    const { read, pass, time } = setUp();
    const verdicts = Array.from({ length: 7 }, () => {
      const verdict = read();
      pass(10 * MINUTE);
      return verdict;
    });
    expect(verdicts.slice(0, 6)).toEqual(Array(6).fill('settling'));
    expect(verdicts[6]).toEqual(new Date(time().node - 10 * MINUTE));
  });

  it.each<[string, { node?: number; database?: number }, string]>([
    ['the node', { node: 31 * DAY }, 'disagree'],
    ['the node, back', { node: -HOUR }, 'disagree'],
    ['the database', { database: 31 * DAY }, 'disagree'],
    ['both, as on one machine', { node: 31 * DAY, database: 31 * DAY }, 'jumped'],
    ['both, back', { node: -HOUR, database: -HOUR }, 'jumped'],
  ])('OP-13 %s: a jump is seen, and so is the way back; an hour later it is believed again', (_, by, reason) => {
    const { read, pass, jump, settle } = setUp();
    settle();
    expect(read()).toBeInstanceOf(Date);
    jump(by);
    pass(2_000);
    expect(read()).toBe(reason);
    pass(2_000);
    jump({ node: -(by.node ?? 0), database: -(by.database ?? 0) });
    // Where only the node's clock was wrong, the database's has not jumped.
    expect(read()).not.toBeInstanceOf(Date);
    settle();
    expect(read()).toBeInstanceOf(Date);
  });

  it('OP-13 attack: a process that starts while the clocks of its machine are wrong deletes nothing either', () => {
    const { read, jump, restart, settle } = setUp();
    settle();
    jump({ node: 31 * DAY, database: 31 * DAY });
    restart();
    expect(read()).toBe('jumped');
    jump({ node: -31 * DAY, database: -31 * DAY });
    restart();
    expect(read()).toBe('jumped');
  });

  it('OP-13 a restart within minutes, and a drift of seconds, change nothing', () => {
    const { read, pass, jump, restart, settle } = setUp();
    settle();
    restart();
    pass(5 * MINUTE);
    jump({ node: 20_000, database: -20_000 });
    expect(read()).toBeInstanceOf(Date);
  });

  it('OP-13 of two clocks that differ a little the earlier counts', () => {
    const { read, jump, settle, time } = setUp();
    settle();
    jump({ node: -MINUTE });
    expect(read()).toEqual(new Date(time().node));
  });

  it.each([true, false])(
    'OP-13 what a jump forward skips is not taken for time that has passed, restarted: %s',
    (isRestarted) => {
      const { judge, pass, jump, restart, settle, time } = setUp();
      settle();
      expect(judge().unseen).toBeUndefined();
      pass(10 * MINUTE);
      jump({ node: 40 * DAY, database: 40 * DAY });
      if (isRestarted) restart();
      const unseen = judge().unseen!;
      expect(unseen.endedAt).toBe(time().database);
      const skipped = unseen.endedAt - unseen.beganAt;
      expect(skipped).toBeGreaterThanOrEqual(40 * DAY);
      expect(skipped).toBeLessThan(40 * DAY + HOUR);
      jump({ node: -40 * DAY, database: -40 * DAY });
      expect(judge().unseen).toBeUndefined();
    },
  );
});

describe('OP-13 jumps between two readings', () => {
  it('OP-13 attack: a clock that goes back and comes right again leaves a gap, which no reading of retention sees', () => {
    let [wall, elapsed] = [START, 0];
    const gaps: unknown[] = [];
    const watch = createJumpWatch({ now: () => new Date(wall), elapsed: () => elapsed }, (gap) => gaps.push(gap));
    const pass = (ms: number) => {
      wall += ms;
      elapsed += ms;
    };
    wall -= 40 * DAY;
    watch.look();
    pass(5 * MINUTE);
    watch.look();
    expect(gaps).toEqual([]);
    wall += 40 * DAY;
    watch.look();
    pass(DAY);
    watch.look();
    const endedAt = START + 5 * MINUTE;
    expect(gaps).toEqual([{ beganAt: endedAt - 40 * DAY, endedAt }]);
  });
});
