import { fork } from 'node:child_process';
import { WebSocket } from 'ws';
import { call, signUp, startServer } from './bench-server.ts';
import type { BenchRow } from './measure.ts';

const SOCKETS = 5_000;
const PER_AGENT = 20;
const AIM_MB = 600;
const SERVE = 'serve-sockets';

interface Ready {
  readonly url: string;
  readonly agents: readonly { readonly id: string; readonly token: string }[];
}

/** Measures the memory of a server that only holds sockets (TR-1), in its own process so that nothing else is counted. */
export async function* run(): AsyncIterable<BenchRow> {
  const child = fork(new URL(import.meta.url), [SERVE], { serialization: 'advanced' });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T));
      child.once('exit', (code) => reject(new Error(`bench: the server ended with ${code}`)));
    });
  try {
    const { url, agents } = await next<Ready>();
    const sockets: WebSocket[] = [];
    for (const agent of agents) {
      const some = Array.from({ length: PER_AGENT }, () => openSocket(url, agent));
      sockets.push(...(await Promise.all(some)));
    }
    child.send('memory');
    const megabytes = await next<number>();
    const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    if (open < SOCKETS) throw new Error(`bench: only ${open} sockets stayed open`);
    for (const socket of sockets) socket.terminate();
    yield {
      name: 'idle sockets',
      detail: `${SOCKETS.toLocaleString('en')} signed in, memory of the whole server, what is allowed`,
      ours: megabytes,
      peer: AIM_MB,
      unit: 'MB',
      ratio: AIM_MB / megabytes,
      aim: `< ${AIM_MB} MB`,
      met: megabytes < AIM_MB,
    };
  } finally {
    child.send('stop');
  }
}

function openSocket(url: string, { id, token }: Ready['agents'][number]): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/agent?agent_id=${id}`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
    socket.once('message', () => resolve(socket));
  });
}

async function serve(): Promise<void> {
  const server = await startServer();
  try {
    const agents: Ready['agents'][number][] = [];
    let owner = '';
    for (let index = 0; index < SOCKETS / PER_AGENT; index++) {
      if (index % 10 === 0) owner = await signUp(server);
      const { agent_id: id, token } = await call(server, 'POST /agents', { token: owner, body: { name: 'Bench' } });
      agents.push({ id, token });
    }
    process.send!({ url: server.url, agents } satisfies Ready);
    await new Promise<void>((resolve) => {
      process.on('disconnect', resolve);
      process.on('message', (message) => {
        if (message === 'stop') resolve();
        else process.send!(process.memoryUsage.rss() / 1024 / 1024);
      });
    });
    process.disconnect?.();
  } finally {
    await server.close();
  }
}

if (process.argv[2] === SERVE) await serve();
