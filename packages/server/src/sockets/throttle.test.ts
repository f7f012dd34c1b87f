import type { ClientFrame } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import { rateLimited } from '../http/request-error.ts';
import { createThrottle } from './throttle.ts';

function setUp() {
  const handled: ClientFrame[] = [];
  const refused: ClientFrame[] = [];
  const throttle = createThrottle({
    take: () => {
      throw rateLimited(60, 'frames_per_second');
    },
    handle: (frame) => void handled.push(frame),
    refuse: (_, frame) => void refused.push(frame),
    onChange: () => {},
    onPause: () => {},
  });
  return { throttle, handled, refused };
}
const ack = (conversation_id: string, seq: number): ClientFrame => ({ type: 'ack', conversation_id, seq });

describe('OP-2 a socket over its rate', () => {
  it('OP-2 what waits is handled when the socket ends: the furthest acknowledgement of each conversation, and what still comes', () => {
    const { throttle, handled, refused } = setUp();
    for (const seq of [1, 3, 2]) throttle.admit(ack('a', seq), 0);
    throttle.admit(ack('b', 1), 0);
    throttle.admit({ type: 'event.ack', event_id: 5 }, 0);
    throttle.admit({ type: 'ping' }, 0);
    expect([handled, throttle.isOn()]).toEqual([[], true]);
    throttle.flush();
    throttle.admit(ack('a', 4), 0);
    expect(handled).toEqual([ack('a', 3), ack('b', 1), { type: 'event.ack', event_id: 5 }, ack('a', 4)]);
    expect(refused).toEqual([]);
    expect(throttle.isOn()).toBe(false);
  });

  it('OP-2 attack: whom the server has shut out has nothing handled any more', () => {
    const { throttle, handled } = setUp();
    throttle.admit(ack('a', 1), 0);
    throttle.stop();
    throttle.flush();
    expect(handled).toEqual([]);
  });
});
