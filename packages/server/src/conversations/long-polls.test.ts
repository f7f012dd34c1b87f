import { expect, it } from 'vitest';
import { createLongPolls } from './long-polls.ts';

it('TR-4 attack: polls whose answers are not read count as any others; the oldest is cut off', () => {
  const polls = createLongPolls();
  const cut: number[] = [];
  const begin = (n: number, agent = 'agent') => polls.begin(agent, () => cut.push(n));
  const running = Array.from({ length: 8 }, (_, n) => begin(n));
  for (const poll of running.slice(0, 2)) poll.noteAnswered();
  running[1]!.finish();
  begin(8);
  begin(9, 'another');
  expect(cut).toEqual([]);
  begin(10);
  expect(cut).toEqual([0]);
  // It waits, so it can be answered with nothing.
  begin(11);
  expect(running.map(({ signal }) => signal.aborted).slice(1, 4)).toEqual([true, true, false]);
  expect(cut).toEqual([0]);
});

it('OP-10 the end of the server answers polls that wait, and lets go of none that has its answer', () => {
  const polls = createLongPolls();
  const cut: string[] = [];
  const [waiting, answered] = ['waiting', 'answered'].map((name) => polls.begin('agent', () => cut.push(name)));
  answered!.noteAnswered();
  polls.end();
  expect([waiting!.signal.aborted, polls.begin('agent', () => {}).signal.aborted, cut]).toEqual([true, true, []]);
});
