import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { connect } from '../harness/socket.ts';
import { addTalker } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

/** What the server answers to these bytes, until it hangs up. */
async function exchange(bytes: string): Promise<string> {
  const socket = connectTcp(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.setTimeout(5_000, () => socket.destroy());
  socket.end(bytes);
  await once(socket, 'close');
  return answer;
}

const upgrade = (target: string) =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`;

describe('TR-1 attacks on sockets', () => {
  it.each(['//', 'http://[', '//:99999', '/\\\\'])(
    'TR-1 crash by upgrade: the target %s is refused and the process lives',
    async (target) => {
      expect(await exchange(upgrade(target))).toMatch(/^HTTP\/1\.1 (400|404) /);
      expect((await server.call('GET', '/health')).status).toBe(200);
    },
  );

  it('TR-2 memory by resume: conversations are not named faster than they are looked up', async () => {
    const socket = await connect(server, await addTalker(server));
    for (let frame = 0; frame < 3; frame++) {
      const names = Array.from({ length: 11_000 }, () => [randomUUID(), 1]);
      socket.send({ type: 'resume', conversations: Object.fromEntries(names) });
    }
    expect(await socket.next('error')).toMatchObject({ code: 'RATE_LIMITED' });
    socket.send({ type: 'ping' });
    expect(await socket.next('pong')).toBeDefined();
    await socket.end();
  });
});
