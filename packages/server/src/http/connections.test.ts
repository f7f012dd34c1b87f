import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '@parley/testkit/until';
import { expect, it, onTestFinished } from 'vitest';
import { limitConnections } from './connections.ts';

/** More than the system keeps of what nobody reads. */
const LARGE = 'x'.repeat(32 * 1024 * 1024);

it('OP-7 attack: connections that read nothing of a large answer leave room, once nobody waits', async () => {
  let asked = 0;
  const closed: string[] = [];
  const server = createServer((request, response) => {
    asked++;
    response.end(request.url === '/large' ? LARGE : 'small');
  });
  onTestFinished(() => void server.close().closeAllConnections());
  limitConnections(server, {
    max: 3,
    perNetwork: 3,
    isProxy: () => false,
    onClosed: (address) => closed.push(address),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return socket;
  };
  const deaf: Socket[] = [];
  for (let n = 1; n <= 3; n++) {
    deaf.push(await ask('/large'));
    await until(() => expect(asked).toBe(n));
  }
  const visit = async () => {
    const visitor = await ask('/small');
    let answer = '';
    visitor.on('data', (chunk) => {
      answer += chunk;
    });
    await until(() => expect(answer).toContain('small'));
    return visitor;
  };
  const isClosed = (socket: Socket) => until(() => socket.resume().destroyed);
  const newcomer = await visit();
  expect(closed).toEqual(['127.0.0.1']);
  await isClosed(deaf[0]!);
  // By now the newcomer waits, and goes before those that are still being answered.
  await visit();
  await isClosed(newcomer);
  expect(deaf.slice(1).map(({ destroyed }) => destroyed)).toEqual([false, false]);
});
