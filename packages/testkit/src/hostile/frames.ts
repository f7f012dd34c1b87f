import WebSocket from 'ws';
import type { Anything, HostileConnection } from './connection.ts';

type Change = (frame: Anything, connection: HostileConnection) => Anything;

/** How a test controls the frames of a hostile server. */
export interface FrameControls {
  /** Changes frames on their way to devices and agents: another one, several, or undefined for none. */
  deliver(type: string, change: Change): () => void;
  /** Does the same for frames on their way to the server. */
  take(type: string, change: Change): () => void;
  /** Frames that reached a device or an agent, unchanged. */
  readonly delivered: readonly Anything[];
  /** Frames that were sent to the server, unchanged. */
  readonly taken: readonly Anything[];
  /** Sends a frame on every open connection, or on those that fit. */
  push(frame: Anything, fits?: (connection: HostileConnection) => boolean): void;
  /** Removes all changes: the server is honest from now on. */
  repent(): void;
}

interface Frames extends FrameControls {
  join(socket: WebSocket, url: string): void;
  close(): void;
}

export function relayFrames(honestUrl: string): Frames {
  const open = new Map<HostileConnection, () => void>();
  const delivering: { type: string; change: Change }[] = [];
  const taking: { type: string; change: Change }[] = [];
  const delivered: Anything[] = [];
  const taken: Anything[] = [];

  const pass = (
    changes: readonly { type: string; change: Change }[],
    frame: Anything,
    connection: HostileConnection,
  ): Anything[] =>
    changes
      .filter(({ type }) => type === '*' || type === frame.type)
      .reduce((frames: Anything[], { change }) => frames.flatMap((one) => change(one, connection) ?? []), [frame]);
  const register = (list: { type: string; change: Change }[]) => (type: string, change: Change) => {
    const entry = { type, change };
    list.push(entry);
    return () => void list.splice(list.indexOf(entry), 1);
  };

  return {
    delivered,
    taken,
    deliver: register(delivering),
    take: register(taking),
    push: (frame, fits = () => true) => {
      for (const connection of open.keys()) if (fits(connection)) connection.push(frame);
    },
    repent: () => {
      delivering.length = 0;
      taking.length = 0;
    },
    join: (socket, url) => {
      const honest = new WebSocket(honestUrl.replace(/^http/, 'ws') + url, { perMessageDeflate: false });
      const early: string[] = [];
      const write = (to: WebSocket, frame: Anything) =>
        to.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
      const connection: HostileConnection = {
        kind: url.startsWith('/ws/agent') ? 'agent' : 'human',
        push: (frame) => {
          delivered.push(frame);
          write(socket, frame);
        },
        send: (frame) => write(honest, frame),
      };
      const close = () => {
        open.delete(connection);
        socket.close();
        honest.close();
      };
      open.set(connection, close);
      const forward = (text: string) => {
        const frame = JSON.parse(text);
        taken.push(frame);
        for (const one of pass(taking, frame, connection)) connection.send(one);
      };
      honest.on('open', () => {
        for (const text of early.splice(0)) forward(text);
      });
      socket.on('message', (data) => {
        if (honest.readyState === WebSocket.OPEN) forward(String(data));
        else early.push(String(data));
      });
      honest.on('message', (data) => {
        for (const one of pass(delivering, JSON.parse(String(data)), connection)) connection.push(one);
      });
      for (const end of [socket, honest]) {
        end.on('error', close);
        end.on('close', close);
      }
    },
    close: () => {
      for (const close of [...open.values()]) close();
    },
  };
}
