import { EVENT_NOTES, SERVER_FRAMES } from '@parley/protocol';
import { inTime } from '@parley/testkit/until';
import { WebSocket } from 'ws';
import type { TestServer } from './server.ts';
import type { Speaker } from './talk.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
export type Frame = any;

export interface TestSocket {
  readonly socket: WebSocket;
  /** Everything that came, in order. */
  readonly frames: readonly Frame[];
  send(frame: unknown): void;
  /** The first frame that fits, whether it has come already or not. Fails when the socket closes first. */
  next(fits: string | ((frame: Frame) => boolean)): Promise<Frame>;
  /** The code it was closed with. */
  readonly closed: Promise<number>;
  /** Waits until the frames are as wanted. */
  until(done: (frames: readonly Frame[]) => boolean): Promise<void>;
  end(): Promise<void>;
}

/** TR-1: whatever any test sees on a socket is in the contract, except events that the test made itself. */
function requireContract(frame: Frame): void {
  const { type } = frame;
  const contract = Object.hasOwn(SERVER_FRAMES, type) ? SERVER_FRAMES[type as keyof typeof SERVER_FRAMES] : undefined;
  const fits =
    contract === undefined
      ? type in EVENT_NOTES || type.startsWith('test.')
      : contract.required.every((name) => name in frame) &&
        Object.keys(frame).every((name) => name in contract.properties);
  if (!fits) throw new Error(`the server sent what is not in its contract: ${JSON.stringify(frame).slice(0, 500)}`);
}

/** Without a word said. */
export async function openSocket(
  server: TestServer,
  path: string,
  options: WebSocket.ClientOptions = {},
): Promise<TestSocket> {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, options);
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const look = () => {
    for (const check of [...waiting]) check();
  };
  let code: number | undefined;
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (given) => {
      code = given;
      resolve(given);
      look();
    });
  });
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    requireContract(frame);
    frames.push(frame);
    look();
  });
  const shown = () => `frames: ${JSON.stringify(frames).slice(0, 2_000)}`;
  const until = (done: (frames: readonly Frame[]) => boolean) =>
    inTime(
      new Promise<void>((resolve, reject) => {
        const check = () => {
          if (done(frames)) resolve();
          else if (code !== undefined) reject(new Error(`closed with ${code}, ${shown()}`));
          else return;
          waiting.delete(check);
        };
        waiting.add(check);
        check();
      }),
      shown,
    );
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  const fit = (fits: string | ((frame: Frame) => boolean)) =>
    typeof fits === 'string' ? (frame: Frame) => frame.type === fits : fits;
  return {
    socket,
    frames,
    closed,
    until,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    next: async (fits) => {
      await until((all) => all.some(fit(fits)));
      return frames.find(fit(fits));
    },
    end: async () => {
      socket.close();
      await closed;
    },
  };
}

/** Signed in. A `resume` goes right behind `auth`, as clients do. */
export async function connect(
  server: TestServer,
  speaker: Speaker,
  resume?: { conversations?: Record<string, number>; event_id?: number },
  options: WebSocket.ClientOptions = {},
): Promise<TestSocket> {
  const path = speaker.sender.kind === 'agent' ? `/ws/agent?agent_id=${speaker.id}` : '/ws/human';
  const socket = await openSocket(server, path, options);
  socket.send({ type: 'auth', token: speaker.token });
  if (resume !== undefined) socket.send({ type: 'resume', ...resume });
  await socket.next('auth.ok');
  return socket;
}

export const sequences = (frames: readonly Frame[]): number[] =>
  frames.filter(({ type }) => type === 'message.new').map(({ conversation_seq }) => conversation_seq);
