import { ParleyError } from '@parley/base';
import { createMemoryStore, MESSENGER_ERRORS, type Store } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { makeExecutor } from '../../tests/guard-fixtures.ts';
import { GuardRig } from '../../tests/guard-rig.ts';
import { callKey, isMarkedSent } from './call-record.ts';

const FULL = () => new ParleyError('STORE_FULL', MESSENGER_ERRORS.STORE_FULL, { params: { location: 'test' } });
const DISK_FULL = expect.objectContaining({
  status: 'error',
  reason: 'TOOL_PLATFORM_ERROR',
  message: expect.stringContaining('disk of the device is full'),
});

/** A guard whose disk is fine, on its reserve, or has no space at all, as the test says. */
async function start() {
  const memory = createMemoryStore();
  const disk = { state: 'fine' as 'fine' | 'reserve' | 'none' };
  const store: Store = {
    ...memory,
    write: (batch) => (disk.state === 'none' ? Promise.reject(FULL()) : memory.write(batch)),
    shortage: () => (disk.state === 'fine' ? undefined : { error: FULL(), canReceive: disk.state === 'reserve' }),
  };
  const rig = await new GuardRig(store).start();
  let runs = 0;
  const executor = (during = () => {}) =>
    makeExecutor('say_low', 'note:low', {
      run: async () => {
        runs++;
        during();
        return 'done';
      },
    });
  rig.executors = [executor(), makeExecutor('say_high', 'note:high')];
  return { rig, disk, memory, runs: () => runs, executor };
}

describe('CG-16 a full disk', () => {
  it('CG-16 a call that comes while the reserve is in use is not run, but audited and answered; later ones run', async () => {
    const { rig, disk, runs } = await start();
    disk.state = 'reserve';
    await rig.receive('low');
    await rig.receive('high', { call_id: 'call-2' });
    expect([runs(), rig.prompt]).toEqual([0, undefined]);
    expect(rig.answers).toEqual([DISK_FULL, DISK_FULL]);
    expect(rig.audited.map(({ call_id, status }) => [call_id, status])).toEqual([
      ['call-1', 'error'],
      ['call-2', 'error'],
    ]);
    disk.state = 'fine';
    await rig.receive('low', { call_id: 'call-3' });
    expect([runs(), rig.answers.at(-1)]).toEqual([1, expect.objectContaining({ status: 'ok' })]);
    expect(rig.problems).toEqual([]);
  });

  it('CG-16 attack: the disk fills up while a call runs; it is answered with its result once that is recorded, not before', async () => {
    const { rig, disk, memory, runs, executor } = await start();
    rig.executors = [
      executor(() => {
        disk.state = 'none';
      }),
    ];
    const message = await rig.receive('low');
    await rig.advance(60_000);
    expect([runs(), rig.answers]).toEqual([1, []]);
    expect(JSON.parse((await memory.get(callKey({ ...message, callId: 'call-1' })))!)).toMatchObject({
      state: 'running',
    });
    disk.state = 'fine';
    await rig.advance(5_000);
    expect([runs(), rig.answers]).toEqual([1, [expect.objectContaining({ status: 'ok', result: 'done' })]]);
    expect(rig.audited).toHaveLength(1);
    expect(JSON.parse((await memory.get(callKey({ ...message, callId: 'call-1' })))!)).toMatchObject({
      state: 'answered',
    });
    expect(await isMarkedSent(memory, { ...message, callId: 'call-1' })).toBe(true);
  });

  it('CG-16 nothing runs that is not on disk: a call that cannot be recorded waits, and is answered when there is space', async () => {
    const { rig, disk, runs } = await start();
    rig.beforeClaim = () => {
      disk.state = 'none';
    };
    await rig.receive('low');
    expect([runs(), rig.answers]).toEqual([0, []]);
    disk.state = 'reserve';
    await rig.advance(5_000);
    expect([runs(), rig.answers]).toEqual([0, [DISK_FULL]]);
  });

  it('CG-16 closing does not wait for space: the call is answered after the next start', async () => {
    const { rig, disk, memory, runs, executor } = await start();
    rig.executors = [
      executor(() => {
        disk.state = 'none';
      }),
    ];
    await rig.receive('low');
    await rig.runner.close();
    expect(rig.answers).toEqual([]);
    const again = await new GuardRig(memory).start();
    await again.runner.resume();
    await again.settle();
    expect([runs(), again.answers]).toEqual([1, [expect.objectContaining({ reason: 'TOOL_PLATFORM_ERROR' })]]);
    expect(again.audited).toHaveLength(1);
  });
});
