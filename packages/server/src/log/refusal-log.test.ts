import { expect, it } from 'vitest';
import { networkOf } from '../http/network-of.ts';
import { createRefusalLog } from './refusal-log.ts';

it('OP-14 attack: a flood of refusals does not flood the log; an account has a line a minute for each limit', () => {
  const lines: unknown[] = [];
  let now = 0;
  const deps = { elapsed: () => now, networkOf };
  const refuse = createRefusalLog({ info: (line: unknown) => void lines.push(line) } as never, deps);
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

it('OP-14 attack: refusals of strangers from thousands of networks have a hundred lines a minute', () => {
  const lines: { others?: number }[] = [];
  let now = 0;
  const deps = { elapsed: () => now, networkOf };
  const refuse = createRefusalLog({ info: (line: never) => void lines.push(line) } as never, deps);
  const flood = () => {
    for (let n = 0; n < 5_000; n++) refuse({ limit: 'rate', client: `203.0.${n >> 8}.${n & 255}` });
  };
  flood();
  flood();
  expect(lines).toHaveLength(100);
  // Neither another limit nor an account is pushed out by them.
  refuse({ limit: 'request_timeout', client: '203.0.113.9' });
  refuse({ limit: 'rate', account: 'ada', client: '203.0.113.9' }, { route: '/auth/me' });
  expect(lines.slice(100)).toEqual([
    { limit: 'request_timeout', client: '203.0.113.9', times: 1 },
    { limit: 'rate', account: 'ada', client: '203.0.113.9', route: '/auth/me', times: 1 },
  ]);
  now += 60_000;
  flood();
  expect(lines.slice(102)).toHaveLength(100);
  expect(lines[102]).toMatchObject({ times: 2, others: 9_800 });
});
