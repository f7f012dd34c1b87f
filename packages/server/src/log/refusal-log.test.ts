import { expect, it } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

it('OP-14 attack: a flood of refusals does not flood the log; an account has a line a minute for each limit', () => {
  const lines: unknown[] = [];
  let now = 0;
  const refuse = createRefusalLog({ info: (line: unknown) => void lines.push(line) } as never, () => now);
  const ada = { limit: 'frames_per_second', account: 'ada', client: '203.0.113.9' };
  for (let n = 0; n < 1_000; n++, now += 60) refuse(ada);
  expect(lines).toEqual([{ ...ada, times: 1 }]);
  refuse(ada);
  refuse({ limit: 'waiting_deliveries', account: 'ada' });
  refuse({ ...ada, account: 'ben' });
  expect(lines.slice(1)).toEqual([
    { ...ada, times: 1_000 },
    { limit: 'waiting_deliveries', account: 'ada', times: 1 },
    { ...ada, account: 'ben', times: 1 },
  ]);
});
