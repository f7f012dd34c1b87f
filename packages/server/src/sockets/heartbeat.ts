import type WebSocket from 'ws';

/** The interval of pings and the time until a silent socket is dropped (TR-1). */
const PING_MS = 30_000;
const DEAD_MS = 90_000;

/** Pings the other end, and terminates the socket when it does not answer. */
export function createHeartbeat(socket: WebSocket, elapsed: () => number): { tick(): void } {
  let seen = elapsed();
  let pinged = seen;
  let unanswered = 0;
  const alive = () => {
    seen = elapsed();
    unanswered = 0;
  };
  for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, alive);
  return {
    tick: () => {
      const time = elapsed();
      // Besides the time, two pings must be unanswered: a process that was suspended must not drop every socket.
      if (time - seen >= DEAD_MS && unanswered >= 2) {
        socket.terminate();
      } else if (time - pinged >= PING_MS) {
        pinged = time;
        unanswered++;
        socket.ping();
      }
    },
  };
}
