import { expect, test, vi } from 'vitest';
import { inTime, until } from './until.ts';

test('HS-19 a check is repeated until it holds; what it returns is the answer', async () => {
  let looks = 0;
  const found = await until(async () => {
    looks++;
    expect(looks).toBe(3);
    return `look ${looks}`;
  });
  expect(found).toBe('look 3');
  expect(looks).toBe(3);
});

test('HS-19 a check that returns false does not hold yet', async () => {
  let looks = 0;
  await until(() => ++looks === 3);
  expect(looks).toBe(3);
  await expect(until(() => false, { limitMs: 0 })).rejects.toThrow(/still not so after 0 ms: false/);
});

test('HS-19 what never comes is told with the last reason', async () => {
  const never = until(() => expect(['a']).toEqual(['a', 'b']), { limitMs: 0 });
  await expect(never).rejects.toThrow(/still not so after 0 ms: expected \[ 'a' \] to deeply equal \[ 'a', 'b' \]/);
  const thrown = { nothing: 'to say' };
  await expect(until(() => Promise.reject(thrown), { limitMs: 0 })).rejects.toMatchObject({ cause: thrown });
});

test('HS-19 waiting does not depend on a clock that a test has stopped', async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    await until(() => expect(++looks).toBe(2));
    expect(looks).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('HS-19 what announces itself is waited for, and what there was instead is told', async () => {
  await expect(inTime(Promise.resolve('here'), () => 'nothing')).resolves.toBe('here');
  await expect(inTime(Promise.reject(new Error('broken')), () => 'nothing')).rejects.toThrow('broken');
  const never = new Promise(() => {});
  await expect(inTime(never, () => 'two frames', { limitMs: 1 })).rejects.toThrow(
    'not within 1 ms; instead: two frames',
  );
});
