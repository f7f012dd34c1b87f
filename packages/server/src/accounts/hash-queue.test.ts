import { createDeferred, type Deferred } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { createHashQueue } from './hash-queue.ts';

/** Work that ends when the test says so, one after the other. */
function createWork() {
  const started: { readonly name: string; readonly end: Deferred<void> }[] = [];
  let ended = 0;
  return {
    started: () => started.map(({ name }) => name),
    work: (name: string) => () => {
      const end = createDeferred();
      started.push({ name, end });
      return end.promise;
    },
    endOne: async () => {
      started[ended++]!.end.resolve();
      await settle();
    },
  };
}
const settle = () => new Promise(setImmediate);

describe('OP-3 hashes of passwords', () => {
  it('OP-3 attack: 6,000 sign-ins from as many addresses: one hash at a time, and someone known waits for one', async () => {
    const queue = createHashQueue({ concurrency: 1 });
    const { started, work, endOne } = createWork();
    const refused: unknown[] = [];
    for (let index = 0; index < 6_000; index++) {
      queue.run(work(`stranger ${index}`), `network ${index}`).catch((error: unknown) => refused.push(error));
    }
    await settle();
    const known = queue.run(work('known'), undefined);
    await settle();
    expect(started()).toEqual(['stranger 0']);
    expect(refused).toHaveLength(5_799);
    expect(refused[0]).toMatchObject({ code: 'UNAVAILABLE', headers: { 'retry-after': '5' } });
    await endOne();
    expect(started()).toEqual(['stranger 0', 'known']);
    await endOne();
    await known;
    await endOne();
    expect(started().slice(2)).toEqual(['stranger 1', 'stranger 2']);
  });

  it('OP-3 attack: one network that signs in 1,000 times leaves the next turn to another', async () => {
    const queue = createHashQueue({ concurrency: 1 });
    const { started, work, endOne } = createWork();
    const refused: unknown[] = [];
    for (let index = 0; index < 1_000; index++) {
      queue.run(work('flood'), '192.0.2.1').catch((error: unknown) => refused.push(error));
    }
    void queue.run(work('innocent'), '192.0.2.2');
    await settle();
    expect(refused).toHaveLength(979);
    expect(refused[0]).toMatchObject({ code: 'RATE_LIMITED', params: { retry_after_seconds: 5 } });
    await endOne();
    await endOne();
    expect(started().slice(0, 3)).toContain('innocent');
  });
});
