import { randomBytes } from 'node:crypto';
import { connect as connectTcp, type Socket } from 'node:net';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { revokeToken } from '../../src/agents/tokens.ts';
import { createTurns } from '../../src/budgets/turns.ts';
import { consumerOf } from '../../src/conversations/consumer.ts';
import { poll } from '../../src/conversations/poll.ts';
import { createSharedReads } from '../../src/conversations/shared-reads.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { addBot, addTalker, type Bot, relate, seal, type Talker } from '../harness/talk.ts';

let server: TestServer;
let person: Talker;
let bot: Bot;
let conversation: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

async function meet(): Promise<void> {
  person = await addTalker(server);
  bot = await addBot(server, person, { mode: 'polling' });
  conversation = await relate(server, person, bot);
}
const startPoll = (wait: number) =>
  server.call('GET', `/agents/${bot.id}/messages/poll?wait=${wait}`, { token: bot.token });
const send = (speaker: Talker | Bot) =>
  server.call('POST', `/conversations/${conversation}/messages`, {
    token: speaker.token,
    body: seal(speaker, conversation),
  });

/** Until a poll of this bot listens. */
async function heard(): Promise<void> {
  const { listen } = server.platform.bus;
  await new Promise<void>((resolve) => {
    server.platform.bus.listen = (key, listener) => {
      if (key === `a:${bot.id}`) setImmediate(resolve);
      return listen(key, listener);
    };
  });
  server.platform.bus.listen = listen;
}

describe('TR-4 attacks on long polling', () => {
  it('TR-4 revoked while waiting: a poll that began with a good token brings nothing after it is revoked', async () => {
    await meet();
    const listening = heard();
    const waiting = startPoll(30);
    await listening;
    await revokeToken(server.platform, bot.id, bot.caller.tokenId);
    expect((await send(person)).status).toBe(200);
    const { status, body } = await waiting;
    expect([status, body.messages]).toEqual([401, undefined]);
  });

  it('TR-4 pile-up: of too many polls of one agent the oldest is sent away', async () => {
    await meet();
    const polls = Array.from({ length: 9 }, () => startPoll(60));
    const first = await Promise.race(polls);
    expect(first).toMatchObject({ status: 200, body: { messages: [], events: [] } });
    expect((await send(person)).status).toBe(200);
    const replies = await Promise.all(polls);
    expect(replies.filter(({ body }) => body.messages.length === 1)).toHaveLength(8);
  });

  it('TR-4 crash by outage: a database that goes away in the middle of a poll is an error, not the end', async () => {
    await meet();
    await send(bot);
    const other = await relate(server, await addTalker(server), bot);
    await server.call('POST', `/conversations/${other}/messages`, { token: bot.token, body: seal(bot, other) });
    let reads = 0;
    const deps = {
      platform: server.platform,
      reader: {
        read: async () => {
          if (++reads > 1) {
            // Time for whatever was left unattended to be noticed.
            await new Promise((resolve) => setImmediate(resolve));
            throw new Error('read');
          }
          return { after: 0, lastSeq: 1, messages: [] };
        },
      },
      reads: createSharedReads(1),
      pollTurns: createTurns('polls'),
      cursors: { move: () => Promise.reject(new Error('move')), moveEvents: async () => {} },
      durableCursors: { move: async () => {}, moveEvents: async () => {} },
    };
    const options = {
      cursor: undefined,
      waitSeconds: 0,
      signal: new AbortController().signal,
      recheck: async () => {},
    };
    const unattended: unknown[] = [];
    const note = (reason: unknown) => void unattended.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      await expect(poll(deps, consumerOf(bot.caller), options)).rejects.toThrow('read');
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', note);
      for (const listener of others) process.on('unhandledRejection', listener);
    }
    expect(unattended).toEqual([]);
  });

  it('TR-4 given up while collecting: a poll that nobody waits for any more reads no further', async () => {
    await meet();
    const { platform } = server;
    for (const talker of [await addTalker(server), await addTalker(server), person]) {
      const id = talker === person ? conversation : await relate(server, talker, bot);
      const body = seal(talker, id);
      await server.call('POST', `/conversations/${id}/messages`, { token: talker.token, body });
    }
    const gone = new AbortController();
    let reads = 0;
    const reader = {
      read: async () => {
        reads++;
        gone.abort();
        return { after: 0, lastSeq: 1, messages: [] };
      },
    };
    const cursors = { move: async () => {}, moveEvents: async () => {} };
    const shared = { reads: createSharedReads(1), pollTurns: createTurns('polls'), cursors, durableCursors: cursors };
    const options = { cursor: undefined, waitSeconds: 60, signal: gone.signal, recheck: async () => {} };
    const found = await poll({ platform, reader, ...shared }, consumerOf(bot.caller), options);
    expect([found.messages, found.events, reads]).toEqual([[], [], 1]);
  });
});

/** Almost as large as a message may be. */
const LARGE = randomBytes(300_000).toString('base64url');

async function sendLarge(count: number): Promise<string[]> {
  const sent: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { ...seal(person, conversation), ciphertext: LARGE };
    await until(async () => {
      const path = `/conversations/${conversation}/messages`;
      const { status } = await server.call('POST', path, { token: person.token, body });
      if (status === 429) server.clock.advance(2_000);
      expect(status).toBe(200);
    });
    sent.push(body.header.client_message_id);
  }
  return sent;
}

describe('OP-1 attacks with replies', () => {
  it('OP-1 TR-4 attack: 12 messages of 400 KB in six conversations are no reply of 5 MB; the next ones go on, each message once', async () => {
    await meet();
    const sent = new Set<string>();
    for (let n = 0; n < 6; n++) {
      person = await addTalker(server);
      conversation = await relate(server, person, bot);
      for (const id of await sendLarge(2)) sent.add(id);
    }
    const found: string[] = [];
    let cursor = '';
    let replies = 0;
    for (; found.length < sent.size; replies++) {
      const path = `/agents/${bot.id}/messages/poll?cursor=${cursor}`;
      const { body, status } = await server.call('GET', path, { token: bot.token });
      expect([status, body.messages.length]).toEqual([200, expect.toSatisfy((count) => count > 0 && count <= 4)]);
      found.push(...body.messages.map((message: { client_message_id: string }) => message.client_message_id));
      cursor = body.cursor;
    }
    expect([found.length, new Set(found)]).toEqual([sent.size, sent]);
    expect(replies).toBeGreaterThan(2);
    const last = await server.call('GET', `/agents/${bot.id}/messages/poll?cursor=${cursor}`, { token: bot.token });
    expect(last.body.messages).toEqual([]);
  });

  it('OP-1 OP-2 attack: an account that reads none of its replies is refused further ones; others are not', async () => {
    await meet();
    await sendLarge(2);
    const { hostname, port } = new URL(server.url);
    const path = `/conversations/${conversation}/messages`;
    const request = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${person.token}\r\n\r\n`;
    const deaf: Socket[] = [];
    onTestFinished(() => deaf.forEach((socket) => void socket.destroy()));
    await until(async () => {
      server.clock.advance(1_000);
      const socket = connectTcp(Number(port), hostname).on('error', () => {});
      deaf.push(socket.pause());
      // So many that they do not all fit into what the system keeps.
      socket.write(request.repeat(8));
      const { status, headers } = await server.call('GET', path, { token: person.token });
      expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    });
    const { body } = await server.call('GET', '/metrics');
    expect(body).toContain('parley_refusals_total{limit="unsent_replies"}');
    const innocent = await addTalker(server);
    expect((await server.call('GET', '/auth/me', { token: innocent.token })).status).toBe(200);
    for (const socket of deaf) socket.destroy();
    await until(async () => expect((await server.call('GET', path, { token: person.token })).status).toBe(200));
  });
});
