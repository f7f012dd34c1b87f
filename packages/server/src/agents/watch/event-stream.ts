import type { AgentEventNote } from '@parley/protocol';
import { readAgentEvents, type StoredAgentEvent } from '../../agent-events/store.ts';
import { keyOf } from '../../events/bus.ts';
import { createWakeSignal } from '../../events/wake-signal.ts';
import type { Platform } from '../../platform.ts';
import { createMessageCounter } from './message-counter.ts';

/** It checks again even if nothing wakes it: a wake-up may be lost with a connection to the database. */
const RECHECK_MS = 30_000;

export interface EventStreamOptions {
  readonly agentId: string;
  /** The last number that the reader has. */
  readonly after: number;
  /** Bus keys that are woken when the right to watch may have ended; `check` finds out whether it has. */
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
  /** Rejects once the reader may not watch any more. */
  check(): Promise<void>;
  /** Resolves when there is room for more. */
  send(event: object): Promise<void>;
}

/**
 * Streams the events of an agent from the database until the signal aborts. Returns the last number that was sent.
 * Nothing is buffered for a slow reader: the next read continues where it is, and reports what is no longer stored.
 */
export async function streamEvents(platform: Platform, options: EventStreamOptions): Promise<number> {
  const { db, bus, now } = platform;
  const { agentId, signal, check, send } = options;
  const over = new AbortController();
  const stop = () => over.abort();
  const stopped = new Promise<void>((resolve) =>
    over.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const wakeUp = createWakeSignal();
  let failure: unknown;
  const recheck = async (): Promise<void> => {
    try {
      await check();
    } catch (error) {
      failure ??= error;
      stop();
    }
  };
  const suspect = () => {
    void recheck();
    wakeUp.notify();
  };
  const counter = createMessageCounter(db, { agentId, since: now(), notify: wakeUp.notify });
  const stops = [
    bus.listen(keyOf.agentEvents(agentId), wakeUp.notify),
    bus.listen(keyOf.agent(agentId), (wake) => {
      if (wake.upTo === undefined) suspect();
      else counter.onWake(wake);
    }),
    ...options.keys.map((key) => bus.listen(key, suspect)),
  ];
  const timer = setInterval(suspect, RECHECK_MS);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();

  let position = options.after;
  const sendUnlessOver = async (event: object): Promise<void> => {
    if (!over.signal.aborted) await Promise.race([send(event), stopped]);
  };
  const sendUnnumbered = (event: AgentEventNote) =>
    sendUnlessOver({ event_id: null, at: now().toISOString(), ...event });
  const sendNews = async (): Promise<void> => {
    const { notes, last } = await readAgentEvents(db, agentId, position);
    // The reader is ahead: the numbers began again after a backup was restored.
    const from = position > last ? 0 : position;
    const missing = (notes[0]?.number ?? last + 1) - from - 1;
    if (from > 0 && missing > 0) await sendUnnumbered({ type: 'events.left_out', count: missing });
    for (const note of notes) {
      await sendUnlessOver(toWireAgentEvent(note));
      if (over.signal.aborted) return;
      position = note.number;
    }
    if (notes.length === 0) position = last;
    for (const relayed of await counter.take()) await sendUnnumbered(relayed);
  };

  try {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      await recheck();
      if (!over.signal.aborted) await sendNews();
      if (isFirst) await sendUnnumbered({ type: 'events.live' });
      await wakeUp.wait(over.signal);
    }
    if (failure !== undefined) throw failure;
    return position;
  } finally {
    clearInterval(timer);
    counter.stop();
    signal.removeEventListener('abort', stop);
    for (const end of stops) end();
  }
}

export function toWireAgentEvent({ number, at, type, fields }: StoredAgentEvent) {
  return { ...fields, event_id: number, at: at.toISOString(), type };
}
