import { describe, expect, it } from 'vitest';
import { createIntake } from './intake.ts';

/** Turns of the event loop, made by hand. */
function setUp() {
  let scheduled: (() => void)[] = [];
  const handled: string[] = [];
  const intake = createIntake((run) => scheduled.push(run));
  return {
    handled,
    add: (account: string, bytes: number, name = account) => intake.add(account, bytes, () => handled.push(name)),
    nextTurn: () => {
      const runs = scheduled;
      scheduled = [];
      for (const run of runs) run();
    },
  };
}

describe('OP-3 the intake of frames', () => {
  it('OP-3 a frame is handled at once while there is little to do', () => {
    const { add, handled } = setUp();
    add('a', 1_000);
    expect(handled).toEqual(['a']);
  });

  it('OP-3 attack: 100,000 tiny frames of one account: the frame of another waits for one turn', () => {
    const { add, handled, nextTurn } = setUp();
    for (let n = 0; n < 100_000; n++) add('flood', 12);
    const before = handled.length;
    expect(before).toBeLessThan(1_000);
    add('innocent', 1_000);
    nextTurn();
    expect(handled).toContain('innocent');
    expect(handled.length).toBeLessThan(2_000);
  });

  it('OP-3 attack: ten accounts with frames of 400 KB each: a small frame is handled before theirs', () => {
    const { add, handled, nextTurn } = setUp();
    for (let n = 0; n < 50; n++) add(`flood ${n % 10}`, 400_000);
    expect(handled).toHaveLength(1);
    add('innocent', 1_000);
    nextTurn();
    expect(handled).toContain('innocent');
    expect(handled.length).toBeLessThanOrEqual(3);
  });

  it('OP-3 the frames of one account keep their order, and none is lost', () => {
    const { add, handled, nextTurn } = setUp();
    const names = Array.from({ length: 2_000 }, (_, n) => `frame ${n}`);
    for (const name of names) add('a', 500, name);
    for (let turn = 0; turn < 20; turn++) nextTurn();
    expect(handled).toEqual(names);
    add('a', 500, 'later');
    expect(handled.at(-1)).toBe('later');
  });
});
