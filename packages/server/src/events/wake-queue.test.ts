import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWakeQueue, encodeNews } from './wake-queue.ts';

const BYTES = 7_000;
const keysOf = (count: number, name = 'k') => Array.from({ length: count }, (_, n) => `${name}${n}`);
const told = (queue: ReturnType<typeof createWakeQueue>, bytes = BYTES) =>
  queue.take(bytes).flatMap(({ news }) => encodeNews(news).split(' '));

describe('OP-3 what waits to be told to other nodes', () => {
  it('OP-3 attack: 225,000 wakes of one account do not delay the one of another', () => {
    const queue = createWakeQueue();
    const keys = keysOf(450);
    for (let n = 0; n < 500; n++) queue.add('eve', { keys, about: `group-${n}`, upTo: 1 });
    queue.add('ann', { keys: ['a:friend'], about: 'talk', upTo: 7 });
    expect(queue.size).toBe(225_001);
    expect(told(queue)).toContain('a:friend/talk/7');
  });

  it('TR-3 nothing is lost, and of the numbers of a conversation the last one is told', () => {
    const step = fc.record({
      account: fc.constantFrom('a', 'b'),
      about: fc.constantFrom('x', 'y'),
      keys: fc.integer({ min: 1, max: 80 }),
      take: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue = createWakeQueue();
        const heard = new Map<string, number>();
        const owed = new Map<string, number>();
        const listen = () => {
          for (const text of told(queue)) {
            const [key, about, upTo] = text.split('/');
            heard.set(`${key}/${about}`, Math.max(Number(upTo), heard.get(`${key}/${about}`) ?? 0));
          }
        };
        steps.forEach(({ account, about, keys, take }, at) => {
          queue.add(account, { keys: keysOf(keys), about, upTo: at + 1 });
          for (const key of keysOf(keys)) owed.set(`${key}/${about}`, at + 1);
          if (take) listen();
        });
        while (queue.size > 0) listen();
        expect(heard).toEqual(owed);
      }),
    );
  });

  it('OP-3 the same news again replace those that wait', () => {
    const queue = createWakeQueue();
    for (let upTo = 1; upTo <= 100; upTo++) queue.add('eve', { keys: keysOf(50), about: 'group', upTo });
    expect(queue.size).toBe(50);
    expect(told(queue)).toContain('k49/group/100');
  });

  it('TR-3 what is taken fits into a notification', () => {
    const queue = createWakeQueue();
    const id = '0'.repeat(36);
    for (let n = 0; n < 40; n++)
      queue.add(`account ${n}`, { keys: keysOf(33, `a:${id.slice(2)}`), about: id, upTo: Number.MAX_SAFE_INTEGER });
    while (queue.size > 0) expect(told(queue).join(' ').length).toBeLessThanOrEqual(BYTES);
  });
});
