import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

interface CutProxy {
  readonly url: string;
  /** Sends new connections to this address from now on. */
  lead(target: string): void;
  cut(): void;
  /**
   * Nothing is forwarded any more, in either direction and to nobody's notice: connections stay open, and new ones are
   * taken, as by a host that has vanished behind its name.
   */
  freeze(): void;
  /** New connections are forwarded again; those of before never are. */
  thaw(): void;
  close(): Promise<void>;
}

/**
 * Stands in front of a server, and can be cut like a cable. Its address stays the same while servers come and go:
 * another program may take a free port at any moment.
 */
export async function startCutProxy(target: string): Promise<CutProxy> {
  let goal = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    if (isFrozen) {
      sockets.add(near.pause());
      near.on('error', () => {});
      near.on('close', () => sockets.delete(near));
      return;
    }
    const far = connect(Number(goal.port), goal.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (next) => {
      goal = new URL(next);
    },
    cut,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw: () => {
      isFrozen = false;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
