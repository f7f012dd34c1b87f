import { describe, expect, it } from 'vitest';
import { type ClientProblem, createProblems } from './problems.ts';

const row: ClientProblem = { kind: 'row', subject: 'relation', id: 'r' };
const clock = (byMs: number): ClientProblem => ({ kind: 'clock', byMs });

function start() {
  let time = 0;
  const problems = createProblems(() => new Date(time++ * 1_000));
  const seen = () => problems.getSnapshot().map(({ id, problem, over }) => [id, problem.kind, over !== undefined]);
  return { problems, seen };
}

describe('EE-24 problems that are over', () => {
  it('EE-24 stay in the list, with the time since when it is no longer so', () => {
    const { problems } = start();
    expect(problems.note(row)).toBe(true);
    problems.end(() => true);
    const over = '1970-01-01T00:00:01.000Z';
    expect(problems.getSnapshot()).toMatchObject([{ id: 1, problem: row, over }]);
    problems.end(() => true);
    expect(problems.getSnapshot()).toMatchObject([{ over }]);
  });

  it('EE-24 attack: a server that goes to and fro is told each time, and pushes nothing else out', () => {
    const { problems, seen } = start();
    problems.note(clock(1));
    for (let n = 0; n < 200; n++) {
      expect(problems.note(row)).toBe(true);
      expect(problems.note(row)).toBe(false);
      problems.end(({ kind }) => kind === 'row');
    }
    expect(seen()).toEqual([
      [1, 'clock', false],
      [201, 'row', true],
    ]);
  });

  it('EE-25 a clock that differs by more is still one problem', () => {
    const { problems, seen } = start();
    expect(problems.note(clock(40))).toBe(true);
    expect(problems.note(clock(41))).toBe(false);
    expect(seen()).toHaveLength(1);
  });
});
