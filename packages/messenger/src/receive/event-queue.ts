import type { MessengerOptions, PlatformEvent, Problem } from '../types.ts';

/** Hands events to the handler one after the other, and acknowledges them when handled. */
export interface EventQueue {
  receive(event: PlatformEvent): void;
  /** Resolves when the events received so far are handled. */
  idle(): Promise<void>;
  /** Returns the last event received, for `resume`. */
  position(): number | undefined;
}

interface Deps {
  readonly onEvent: MessengerOptions['onEvent'];
  readonly acknowledge: (eventId: number) => void;
  readonly report: (problem: Problem) => void;
}

export function createEventQueue({ onEvent, acknowledge, report }: Deps): EventQueue {
  let last: number | undefined;
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
      if (last !== undefined && event.eventId <= last) return;
      last = event.eventId;
      waiting++;
      tail = tail.then(() => handle(event));
    },
    idle: () => tail,
    position: () => last,
  };
}
