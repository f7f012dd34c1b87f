import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { acceptsNdjson, createNdjsonReplies, type NdjsonReply } from './ndjson.ts';

const apps: ReturnType<typeof fastify>[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) {
    app.server.closeAllConnections();
    await app.close();
  }
});

async function start(beatMs?: number) {
  const app = fastify();
  apps.push(app);
  const open = createNdjsonReplies(app, beatMs);
  let made!: (reply: NdjsonReply) => void;
  const opened = new Promise<NdjsonReply>((resolve) => {
    made = resolve;
  });
  app.get('/', async (_request, reply) => {
    const lines = open((name, value) => void reply.header(name, value));
    made(lines);
    return reply.send(lines.body);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, url, opened };
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe('TR-7 a reply that is told line by line', () => {
  it('TR-7 is asked for by its media type alone', () => {
    expect(acceptsNdjson({ accept: 'text/html, Application/X-NDJSON;q=0.9' })).toBe(true);
    for (const accept of [undefined, '*/*', 'application/json', 'application/x-ndjson-not'])
      expect(acceptsNdjson({ accept })).toBe(false);
  });

  it('TR-7 reaches the reader before it has ended, by no proxy held back, and says nothing after the end', async () => {
    const { url, opened } = await start();
    const response = await fetch(url);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toContain('no-transform');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const reply = await opened;
    reply.send({ event: 1 }, 'a');
    let text = '';
    while (lines(text).length === 0) text += (await reader.read()).value;
    expect(lines(text)).toEqual(['{"event":1}']);
    reply.end({ reply: 2 });
    reply.end({ reply: 3 });
    reply.send({ event: 4 }, 'a');
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(lines(text)).toEqual(['{"event":1}', '{"reply":2}']);
    expect(reply.signal.aborted).toBe(false);
  });

  it('TR-7 shows that it is alive while there is nothing to say', async () => {
    const { url, opened } = await start(5);
    const reader = (await fetch(url)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (text.length < 4) text += (await reader.read()).value;
    expect(text).toMatch(/^\n+$/);
    (await opened).end({});
  });

  it('TR-7 memory attack: a reader that does not read has the newest of each kind wait, and no more', async () => {
    const { url, opened } = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const reply = await opened;
    const filler = 'x'.repeat(64 * 1024);
    // Until the pipes between the two are full, and long after.
    for (let count = 0; count < 2_000; count++) {
      reply.send({ count, filler }, 'state');
      if (count % 100 === 0) await new Promise(setImmediate);
    }
    for (let count = 0; count < 200; count++) reply.send({ count }, count % 2 === 0 ? 'retry' : 'other');
    reply.end({ last: true });
    let size = 0;
    let tail = '';
    socket.on('data', (part) => {
      size += part.length;
      tail = (tail + part.toString()).slice(-4_000);
    });
    socket.resume();
    await once(socket, 'close');
    expect(tail).toContain('{"count":199}');
    expect(tail).toContain('{"last":true}');
    expect(size).toBeLessThan(1_000 * filler.length);
  });

  it('TR-7 knows when its reader has left, and when the server ends', async () => {
    const { url, opened } = await start();
    const controller = new AbortController();
    await fetch(url, { signal: controller.signal });
    const reply = await opened;
    controller.abort();
    await once(reply.signal, 'abort');
    expect(() => reply.end({})).not.toThrow();

    const other = await start();
    const response = await fetch(other.url);
    const { signal, end } = await other.opened;
    signal.addEventListener('abort', () => end({ reply: 'ended' }));
    const closing = other.app.close();
    expect(lines(await response.text())).toEqual(['{"reply":"ended"}']);
    await closing;
  });
});
