import type { MessengerOptions, PlatformEvent, Problem } from '../types.ts';

/** Hands events to the handler one after the other, and acknowledges them when handled. */
export interface EventQueue {
  receive(event: PlatformEvent): void;
  /** Resolves when the events received so far are handled. */
  idle(): Promise<void>;
  /** Returns the highest number received, for `resume`. The server passes over one that it does not know. */
  position(): number | undefined;
}

interface Deps {
  readonly onEvent: MessengerOptions['onEvent'];
  readonly acknowledge: (eventId: number) => void;
  readonly report: (problem: Problem) => void;
}

/** More than can be on their way at once. */
const MAX_KNOWN = 1_000;

export function createEventQueue({ onEvent, acknowledge, report }: Deps): EventQueue {
  let last: number | undefined;
  /** Those that came, not the highest of them: one made-up number would hide all that come after it (EE-24). */
  const known = new Set<number>();
  let tail: Promise<void> = Promise.resolve();
  let waiting = 0;

  const handle = async (event: PlatformEvent): Promise<void> => {
    try {
      await onEvent?.(event);
    } catch (error) {
      report({ kind: 'handler', error });
    }
    // One acknowledgement covers all events that arrived together.
    if (--waiting === 0) acknowledge(event.eventId);
  };

  return {
    receive: (event) => {
      if (known.has(event.eventId)) return;
      known.add(event.eventId);
      if (known.size > MAX_KNOWN) known.delete(known.values().next().value!);
      last = Math.max(last ?? 0, event.eventId);
      waiting++;
      tail = tail.then(() => handle(event));
    },
    idle: () => tail,
    position: () => last,
  };
}
