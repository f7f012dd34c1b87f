import { createObservable, type Readable } from '@parley/base';
import { type Api, ApiError, type Platform, retryDelay } from '@parley/messenger';
import { type AgentLogEvent, agentEventRoutes, readAgentEvent } from '@parley/protocol';

/**
 * `replaced`: the account opened too many other watches; `resume` continues. `ended`: the server will not allow it any
 * more.
 */
type WatchStatus = 'connecting' | 'live' | 'waiting' | 'replaced' | 'ended';

export interface WatchedEvent {
  /** Unique within this watch. */
  readonly key: number;
  readonly event: AgentLogEvent;
}

export interface WatchSnapshot {
  readonly status: WatchStatus;
  /** The newest events, in order. */
  readonly events: readonly WatchedEvent[];
  /** Why it ended, or why it waits. */
  readonly error?: unknown;
}

/** Follows the events of one of the person's own agents (HS-12), and reconnects by itself. */
export interface AgentWatch extends Readable<WatchSnapshot> {
  /** Drops the events so far and keeps listening. */
  clear(): void;
  /** Connects at once, after it was replaced or while it waits. */
  resume(): void;
  stop(): void;
}

interface WatchOptions {
  readonly api: Pick<Api, 'call'>;
  readonly platform: Pick<Platform, 'setTimer' | 'crypto'>;
  readonly agentId: string;
  /** Called once for each event, also for those that `events` has dropped. */
  readonly onEvent?: (event: AgentLogEvent) => void;
}

const MAX_EVENTS = 500;
/** The pause before it connects again, so that no server can make it loop without end. */
const PAUSE_MS = 250;

export function watchAgent({ api, platform, agentId, ...options }: WatchOptions): AgentWatch {
  const state = createObservable<WatchSnapshot>({ status: 'connecting', events: [] });
  const controller = new AbortController();
  const { signal } = controller;
  let after = 0;
  let key = 0;
  let attempt = 0;
  let wake = () => {};

  const show = (status: WatchStatus, error?: unknown): void => {
    const { events } = state.getSnapshot();
    if (!signal.aborted) state.set({ status, events, ...(error === undefined ? {} : { error }) });
  };
  const onEvent = (value: unknown): void => {
    const event = readAgentEvent(value);
    if (event === undefined || signal.aborted) return;
    if (event.event_id !== null) after = event.event_id;
    if (event.type === 'events.live') {
      attempt = 0;
      show('live');
      return;
    }
    const { status, events } = state.getSnapshot();
    state.set({ status, events: [...events, { key: key++, event }].slice(-MAX_EVENTS) });
    options.onEvent?.(event);
  };
  const sleep = (ms: number | undefined): Promise<void> =>
    new Promise((resolve) => {
      const cancel = ms === undefined ? () => {} : platform.setTimer(() => wake(), ms);
      wake = () => {
        cancel();
        wake = () => {};
        resolve();
      };
      if (signal.aborted) wake();
    });
  const listen = async (): Promise<void> => {
    show('connecting');
    const query = after === 0 ? {} : { after: String(after) };
    const { reason } = await api.call(agentEventRoutes.watchAgent, {
      params: { agent_id: agentId },
      query,
      signal,
      onEvent,
    });
    const wasLive = attempt === 0 && state.getSnapshot().status === 'live';
    if (reason === 'replaced') {
      show('replaced');
      await sleep(undefined);
    } else if (reason === 'expired' && wasLive) await sleep(PAUSE_MS);
    else await wait();
  };
  const wait = async (error?: unknown): Promise<void> => {
    show('waiting', error);
    const serverDelay = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    await sleep(Math.max(serverDelay, retryDelay(attempt++, platform)));
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await listen();
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) return show('ended', error);
        await wait(error);
      }
    }
  };

  void follow();
  return {
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    clear: () => {
      state.set({ ...state.getSnapshot(), events: [] });
    },
    resume: () => wake(),
    stop: () => {
      controller.abort();
      wake();
    },
  };
}

/** Would another attempt have the same result? */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND') return true;
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}
