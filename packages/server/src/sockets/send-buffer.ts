import { CLOSE_CODES, type ServerFrame } from '@parley/protocol';
import type WebSocket from 'ws';
import type { WireEvent } from '../events/wire.ts';

/** Beyond this, nothing more is read from the database for this socket until it has drained. */
const CONGESTED = 1024 * 1024;
const DRAINED = 256 * 1024;
/** Acks and errors are written even then, up to this size. */
const MAX_BUFFERED = 4 * 1024 * 1024;
const STALLED_MS = 30_000;

/** The sending side of a socket, whose memory is bounded whatever the other end does. */
export interface SendBuffer {
  /** A string is a frame that was serialised already; the bytes of one are shared with other sockets. */
  send(frame: string | Buffer | ServerFrame | WireEvent): void;
  congested(): boolean;
  /** Resolves when it has drained, or the socket has closed. */
  drained(): Promise<void>;
  /** Ends the socket at once. Its client resumes later, and nothing is lost. */
  hangUp(): void;
  /** Closes a socket that reads nothing. Its client resumes later, and nothing is lost. */
  tick(): void;
}

/** The stream under a socket: frames that are written while it is corked leave as one packet, with one system call. */
export interface Corkable {
  cork(): void;
  uncork(): void;
}

export interface SendBufferOptions {
  readonly socket: WebSocket;
  readonly elapsed: () => number;
  readonly stream?: Corkable;
  /** Called with how much waits, when that has changed. */
  readonly onChange?: (bytes: number) => void;
}

const TEXT = { binary: false };

export function createSendBuffer({ socket, elapsed, stream, onChange }: SendBufferOptions): SendBuffer {
  let progress = elapsed();
  let wake: (() => void) | undefined;
  const flushed = () => {
    progress = elapsed();
    onChange?.(socket.bufferedAmount);
    if (socket.bufferedAmount <= DRAINED) wake?.();
  };
  let isGathering = false;
  const gather = (): void => {
    if (isGathering || stream === undefined) return;
    isGathering = true;
    stream.cork();
    // After all frames of this turn: the acknowledgements of a batch are promises that settle in one turn.
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  const hangUp = () => {
    socket.close(CLOSE_CODES.tooSlow);
    socket.terminate();
  };
  socket.on('close', () => wake?.());
  const congested = () => socket.bufferedAmount > CONGESTED;
  return {
    congested,
    send: (frame) => {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount === 0) progress = elapsed();
      gather();
      const isReady = typeof frame === 'string' || Buffer.isBuffer(frame);
      socket.send(isReady ? frame : JSON.stringify(frame), TEXT, flushed);
      onChange?.(socket.bufferedAmount);
      if (socket.bufferedAmount > MAX_BUFFERED) hangUp();
    },
    drained: () =>
      new Promise<void>((resolve) => {
        if (!congested() || socket.readyState !== socket.OPEN) resolve();
        wake = resolve;
      }),
    hangUp,
    tick: () => {
      if (socket.bufferedAmount > 0 && elapsed() - progress > STALLED_MS) hangUp();
    },
  };
}
