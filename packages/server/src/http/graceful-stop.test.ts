import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createDeferred } from '@parley/base';
import { until } from '@parley/testkit/until';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createGracefulStop, type GracefulStop } from './graceful-stop.ts';

const GRACE_MS = 100;
const turn = () => new Promise((resolve) => setImmediate(resolve));
let app: FastifyInstance;
let http: GracefulStop;
let port: number;
afterEach(() => app.close());

async function listen(handle: () => Promise<string> = async () => 'fine'): Promise<void> {
  app = fastify({ keepAliveTimeout: 72_000 });
  http = createGracefulStop(app, GRACE_MS);
  app.get('/', handle);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
}

/** Resolves with the status, or the code of the error. */
function get(
  agent: Agent | false,
  onHeaders: (headers: IncomingHttpHeaders) => void = () => {},
): Promise<number | string> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port, agent }, (response) => {
      onHeaders(response.headers);
      response.resume().on('end', () => resolve(response.statusCode!));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    outgoing.end();
  });
}

describe('OP-10 stopping', () => {
  it('OP-10 stopped under load again and again, it resets no request and nobody who had come before', async () => {
    for (let round = 0; round < 20; round++) {
      await listen();
      const answers: (number | string)[] = [];
      let isToldNotReady = false;
      /** Uses its connection until it is asked not to. */
      const stay = async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let isLast = false; !isLast; ) {
          answers.push(
            await get(agent, (headers) => {
              isLast = headers.connection === 'close';
            }),
          );
          if (answers.at(-1) !== 200) break;
        }
        agent.destroy();
      };
      /** Opens a connection for each request, as long as a load balancer would send it here. */
      const come = async () => {
        while (!isToldNotReady) answers.push(await get(false));
      };
      const clients = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? stay() : come()));
      for (let turns = 0; turns < 10 + round; turns++) await turn();
      isToldNotReady = true;
      await http.stop();
      await app.close();
      await Promise.all(clients);
      expect(new Set(answers)).toEqual(new Set([200]));
    }
  });

  it('OP-10 a request that runs is answered, and its client told not to come back on this connection', async () => {
    let finish = (_text: string) => {};
    const begun = createDeferred();
    await listen(
      () =>
        new Promise((reply) => {
          finish = reply;
          begun.resolve();
        }),
    );
    const answer = get(new Agent({ keepAlive: true }));
    await begun.promise;
    const closed = http.stop().then(() => app.close());
    await turn();
    finish('late');
    expect(await answer).toBe(200);
    await closed;
  });

  it('OP-10 half a request may send its other half; a connection that says nothing is closed', async () => {
    await listen();
    const accepted = new Set<unknown>();
    app.server.on('connection', (socket) => accepted.add(socket));
    const [half, silent] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    const ends = [half, silent].map(
      (socket) => new Promise<string>((resolve) => socket.once('close', () => resolve('closed'))),
    );
    let heard = '';
    half.on('data', (data) => {
      heard += data;
    });
    silent.resume();
    half.write('GET / HTTP/1.1\r\nhost: localhost\r\n');
    await until(() => expect(accepted.size).toBe(2));
    const stopped = http.stop();
    expect(await ends[1]).toBe('closed');
    half.write('\r\n');
    await stopped;
    expect(await ends[0]).toBe('closed');
    expect(heard).toMatch(/^HTTP\/1.1 200 OK.*connection: close.*fine$/s);
  });
});
