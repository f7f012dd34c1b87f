import type { Platform, Socket } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';

/** A platform whose line a test holds in its hands: cut it, swallow, repeat or alter what passes. */
export class Rig {
  /** Frames that leave; those for which it answers false are swallowed. */
  outgoing: (text: string) => boolean = () => true;
  /** Frames that arrive, and what becomes of them. */
  incoming: (text: string) => readonly string[] = (text) => [text];
  crypto: Platform['crypto'];
  readonly platform: Platform;
  private readonly sockets = new Set<Socket>();

  constructor() {
    const real = createNodePlatform();
    this.crypto = real.crypto;
    this.platform = {
      ...real,
      crypto: new Proxy(real.crypto, { get: (_, name: keyof Platform['crypto']) => this.crypto[name] }),
      // What waits a second to connect again need not in a test.
      setTimer: (callback, ms) => real.setTimer(callback, ms < 2_000 ? Math.min(ms, 20) : ms),
      openSocket: (url) => this.rig(real.openSocket(url)),
    };
  }

  /** As when a cable is pulled: nobody says goodbye. */
  cut(): void {
    for (const socket of this.sockets) (socket as unknown as { terminate(): void }).terminate();
  }

  private rig(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.addEventListener('close', () => this.sockets.delete(socket));
    return {
      get readyState() {
        return socket.readyState;
      },
      get bufferedAmount() {
        return socket.bufferedAmount;
      },
      send: (text) => {
        if (this.outgoing(text)) socket.send(text);
      },
      close: (code) => socket.close(code),
      addEventListener: ((type: string, listener: (event?: { data: unknown }) => void) => {
        if (type !== 'message') return socket.addEventListener(type as 'open', listener);
        socket.addEventListener('message', ({ data }) => {
          for (const text of this.incoming(String(data))) listener({ data: text });
        });
      }) as Socket['addEventListener'],
    };
  }
}

export const typeOf = (frame: string): string => (JSON.parse(frame) as { type: string }).type;
