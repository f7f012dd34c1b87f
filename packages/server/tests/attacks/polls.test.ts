import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeToken } from '../../src/agents/tokens.ts';
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
});
