import type { ClientFrame } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';

/** Lets through as many frames as the account may send over all of its sockets (OP-1). */
export interface Throttle {
  /** Handles the frame now, later, or not at all; then its sender is told. */
  admit(frame: ClientFrame, bytes: number): void;
  /** While it is on, the socket is not read: what is sent to it waits at the sender's end. */
  isOn(): boolean;
  /** Handles the acknowledgements that wait, and whatever still comes, at once: the socket ends. */
  flush(): void;
  /** Forgets what waits. */
  stop(): void;
}

export interface ThrottleOptions {
  /** Throws RATE_LIMITED if the account has sent too much. */
  take(frames: number, bytes: number): void;
  handle(frame: ClientFrame): void;
  refuse(error: RequestError, frame: ClientFrame): void;
  /** Called when the socket is not read for a moment. */
  onPause(error: RequestError): void;
  /** Called when it is on or off. */
  onChange(): void;
}

/** Longer, and the other end might take the connection for dead. */
const MAX_PAUSE_MS = 1_000;

/**
 * What a frame that waits replaces; undefined for one that is refused instead. Acknowledgements say how far someone got,
 * so the last one says it all, and none is lost, also where the socket ends meanwhile: messages would be delivered again.
 */
function replacedBy(frame: ClientFrame): string | undefined {
  if (frame.type === 'ack') return `ack ${frame.conversation_id}`;
  return frame.type === 'event.ack' || frame.type === 'ping' || frame.type === 'auth.renew' ? frame.type : undefined;
}

export function createThrottle({ take, handle, refuse, onPause, onChange }: ThrottleOptions): Throttle {
  const waiting = new Map<string, ClientFrame>();
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  const resume = (): void => {
    timer = undefined;
    const frames = [...waiting.values()];
    waiting.clear();
    for (const frame of frames) admit(frame, 0);
    onChange();
  };
  const pause = (error: RequestError): void => {
    if (timer !== undefined) return;
    const { retry_after_seconds: seconds } = error.params as { readonly retry_after_seconds: number };
    timer = setTimeout(resume, Math.min(seconds * 1_000, MAX_PAUSE_MS));
    timer.unref();
    onPause(error);
    onChange();
  };
  const admit = (frame: ClientFrame, bytes: number): void => {
    try {
      take(1, bytes);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const key = replacedBy(frame);
      if (isEnding) {
        if (isAcknowledgement(frame)) handle(frame);
        return;
      }
      if (key === undefined) refuse(error, frame);
      else waiting.set(key, later(waiting.get(key), frame));
      pause(error);
      return;
    }
    handle(frame);
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    waiting.clear();
  };
  return {
    admit,
    isOn: () => timer !== undefined,
    flush: () => {
      isEnding = true;
      const frames = [...waiting.values()];
      stop();
      for (const frame of frames) admit(frame, 0);
    },
    stop,
  };
}

const isAcknowledgement = ({ type }: ClientFrame) => type === 'ack' || type === 'event.ack';

/** Of two acknowledgements the one that is further; of anything else the newer. */
function later(before: ClientFrame | undefined, frame: ClientFrame): ClientFrame {
  if (before?.type === 'ack' && frame.type === 'ack') return before.seq > frame.seq ? before : frame;
  if (before?.type === 'event.ack' && frame.type === 'event.ack')
    return before.event_id > frame.event_id ? before : frame;
  return frame;
}
