import { nodeCrypto } from '@parley/e2ee/node';
import { type Api, ApiError } from '@parley/messenger';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { watchAgent } from './watch-agent.ts';

const at = '2026-01-02T03:04:05.000Z';
const LIVE = { event_id: null, at, type: 'events.live' };
const refused = (event_id: number | null, count = 1) => ({ event_id, at, type: 'message.refused', count });
const failed = (status: number, code: string) => new ApiError({ status, code, message: code });

interface Turn {
  readonly query: { readonly after?: string };
  readonly signal: AbortSignal;
  tell(event: object): void;
  end(reason: string): void;
  fail(error: Error): void;
}

/** A server whose every word the test says, and timers that it lets ring. */
function begin() {
  const turns: Turn[] = [];
  const timers = new Map<() => void, number>();
  const call = (_route: unknown, input: { query: object; signal: AbortSignal; onEvent: (event: object) => void }) =>
    new Promise((resolve, reject) => {
      const { signal, query, onEvent: tell } = input;
      signal.addEventListener('abort', () => reject(signal.reason));
      const end = (reason: string) => resolve({ events: [], last_event_id: 0, reason });
      turns.push({ query, signal, tell, end, fail: reject });
    });
  const heard: unknown[] = [];
  const watch = watchAgent({
    api: { call: call as unknown as Api['call'] },
    platform: {
      crypto: nodeCrypto,
      setTimer: (callback, ms) => {
        timers.set(callback, ms);
        return () => timers.delete(callback);
      },
    },
    agentId: 'a',
    onEvent: (event) => heard.push(event),
  });
  const turn = async (count: number): Promise<Turn> => {
    await until(() => expect(turns).toHaveLength(count));
    return turns[count - 1]!;
  };
  const status = (wanted: string) => until(() => expect(watch.getSnapshot().status).toBe(wanted));
  /** How long it would have slept. */
  const ring = async (): Promise<number> => {
    await until(() => expect(timers.size).toBe(1));
    const [[callback, ms]] = [...timers] as [[() => void, number]];
    callback();
    return ms;
  };
  return { watch, turn, turns, heard, status, ring, timers };
}

describe('HS-12 watching an agent', () => {
  it('HS-12 shows what comes, goes on after a moment when its token has ended, and from where it was', async () => {
    const { watch, turn, heard, status, ring } = begin();
    const first = await turn(1);
    expect(first.query).toEqual({});
    first.tell(refused(4));
    first.tell(LIVE);
    first.tell(refused(5, 2));
    first.tell(refused(null));
    await status('live');
    expect(watch.getSnapshot().events.map(({ event }) => event.event_id)).toEqual([4, 5, null]);
    first.end('expired');
    expect(await ring()).toBe(250);
    expect((await turn(2)).query).toEqual({ after: '5' });
    expect(watch.getSnapshot().events).toHaveLength(3);
    expect(heard).toHaveLength(3);
    watch.stop();
  });

  it('HS-12 comes back later and later to a server that is away, and soon again once it was there', async () => {
    const { watch, turn, status, ring } = begin();
    const delays: number[] = [];
    for (const count of [1, 2, 3]) {
      (await turn(count)).fail(failed(0, 'UNREACHABLE'));
      await status('waiting');
      delays.push(await ring());
    }
    // Each between half of the delay and all of it.
    expect(delays.map((ms, index) => ms >= 500 * 2 ** index && ms <= 1_000 * 2 ** index)).toEqual([true, true, true]);
    (await turn(4)).tell(LIVE);
    await status('live');
    (await turn(4)).end('closing');
    expect(await ring()).toBeLessThanOrEqual(1_000);
    (await turn(5)).fail(new ApiError({ status: 429, code: 'RATE_LIMITED', message: '', retryAfterMs: 40_000 }));
    expect(await ring()).toBe(40_000);
    // Whoever does not want to wait says so.
    (await turn(6)).fail(failed(200, 'UNAUTHENTICATED'));
    await status('waiting');
    watch.resume();
    await turn(7);
    watch.stop();
  });

  it.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [200, 'NOT_FOUND'],
    [200, 'FORBIDDEN'],
  ])('HS-12 does not ask again what would be refused again: %d %s', async (code, name) => {
    const { watch, turn, status, timers, turns } = begin();
    (await turn(1)).fail(failed(code, name));
    await status('ended');
    expect(watch.getSnapshot().error).toMatchObject({ code: name });
    expect([timers.size, turns.length]).toEqual([0, 1]);
  });

  it('HS-12 tabs do not push each other out in turn: one that was replaced waits to be told', async () => {
    const { watch, turn, status, timers, turns } = begin();
    (await turn(1)).end('replaced');
    await status('replaced');
    expect([timers.size, turns.length]).toEqual([0, 1]);
    watch.resume();
    await turn(2);
    watch.stop();
  });

  it('HS-12 hostile server: what is no event is passed over, and of endless ones the newest are kept', async () => {
    const { watch, turn, heard } = begin();
    const { tell } = await turn(1);
    for (const value of [
      { ...refused(1), count: 'x' },
      { event_id: 2, at, type: 'toString' },
    ])
      tell(value);
    expect(heard).toEqual([]);
    for (let id = 1; id <= 1_000; id++) tell(refused(id));
    const { events } = watch.getSnapshot();
    expect([events.length, events.at(-1)!.event.event_id]).toEqual([500, 1_000]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(500);
    watch.clear();
    expect(watch.getSnapshot().events).toEqual([]);
    watch.stop();
  });

  it('HS-12 whoever stops hears nothing more, and lets go of the connection', async () => {
    const { watch, turn, heard, turns } = begin();
    const { tell, signal } = await turn(1);
    watch.stop();
    tell(refused(1));
    await until(() => expect(signal.aborted).toBe(true));
    expect([heard, watch.getSnapshot().events, turns.length]).toEqual([[], [], 1]);
  });
});
