import { afterEach, describe, expect, it } from 'vitest';
import { startTimetable, type Timetable } from './timetable.ts';

describe('OP-9 jobs at fixed times', () => {
  let timetable: Timetable | undefined;
  afterEach(() => timetable?.close());

  const start = (lines: readonly string[], from: string) => {
    let time = new Date(from);
    let isAway = false;
    const added: string[] = [];
    const problems: unknown[] = [];
    timetable = startTimetable({
      lines,
      now: () => time,
      add: async (task, due) => {
        if (isAway) throw new Error('Connection terminated');
        added.push(`${due.toISOString().slice(0, 16)} ${task}`);
      },
      onProblem: (error) => problems.push(error),
    });
    const { tick } = timetable;
    return {
      added,
      problems,
      goTo: (when: string) => {
        time = new Date(when);
        return tick();
      },
      setAway: (away: boolean) => {
        isAway = away;
      },
    };
  };

  it('OP-9 are added once for each time, in UTC', async () => {
    const { added, goTo } = start(['*/10 * * * * often', '53 3 * * * daily'], '2026-03-01T03:48:30Z');
    await goTo('2026-03-01T03:49:59Z');
    expect(added).toEqual([]);
    await goTo('2026-03-01T03:50:01Z');
    await goTo('2026-03-01T03:50:11Z');
    await goTo('2026-03-01T03:54:00Z');
    expect(added).toEqual(['2026-03-01T03:50 often', '2026-03-01T03:53 daily']);
  });

  it('OP-9 attack: a database that is away at that minute ends nothing, and the job is added when it is back', async () => {
    const { added, problems, goTo, setAway } = start(['53 3 * * * daily'], '2026-03-01T03:52:00Z');
    setAway(true);
    await goTo('2026-03-01T03:53:00Z');
    expect([added, problems.length]).toEqual([[], 1]);
    setAway(false);
    await goTo('2026-03-01T04:10:00Z');
    expect(added).toEqual(['2026-03-01T03:53 daily']);
  });

  it('OP-13 a clock that jumps makes everything due once', async () => {
    const { added, goTo } = start(['*/10 * * * * often', '53 3 * * * daily'], '2026-03-01T12:00:00Z');
    await goTo('2026-04-01T12:05:00Z');
    expect(added.sort()).toEqual(['2026-04-01T03:53 daily', '2026-04-01T12:00 often']);
    await goTo('2026-03-01T12:00:30Z');
    await goTo('2026-03-01T12:10:00Z');
    expect(added).toContain('2026-03-01T12:10 often');
    expect(added).toHaveLength(3);
  });
});
