import { afterEach, describe, expect, it, vi } from 'vitest';
import { findHost, HOST, identifyThisProcess, isAlive, isSameProcessAlive } from './process-identity.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Deno throws an error of its own, without a code. */
function takePermission(): void {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('Requires run access'), { name: 'NotCapable' });
  });
}

describe('a process that may not look at others', () => {
  it('PK-6 attack on a keystore: takes nobody for dead whom it cannot see', () => {
    takePermission();
    expect(isAlive(process.pid)).toBe(true);
    expect(isSameProcessAlive(identifyThisProcess())).toBe(true);
  });

  it('PK-6 is a host of its own, so that its lock is judged by the heartbeat', () => {
    expect(findHost()).toBe(HOST);
    takePermission();
    expect(new Set([HOST, findHost(), findHost()]).size).toBe(3);
  });
});

it.each([[0.5], [Number.NaN], [2 ** 30]])('HS-20 there is no process %d', (pid) => {
  expect(isAlive(pid)).toBe(false);
});
