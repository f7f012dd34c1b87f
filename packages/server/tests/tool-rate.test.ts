import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Relay } from '../src/conversations/relay.ts';
import type { RequestError } from '../src/http/request-error.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addTalker, type Bot, relate, seal, sealToolCall, type Talker } from './harness/talk.ts';

let one: TestServer;
let two: TestServer;
let relays: readonly [Relay, Relay];
let ann: Talker;
let bob: Talker;

beforeAll(async () => {
  one = await startTestServer();
  two = await startTestServer({ databaseUrl: one.config.databaseUrl, tokenSecret: one.config.tokenSecret });
  relays = [createRelay(one.platform), createRelay(two.platform)];
  [ann, bob] = [await addTalker(one), await addTalker(one)];
});
afterAll(async () => {
  await two.drop();
  await one.drop();
});

/** An agent with two users. */
const prepare = async () => {
  const bot = await addBot(one, ann);
  return { bot, ids: [await relate(one, ann, bot), await relate(one, bob, bot)] as const };
};
const call = (bot: Bot, id: string, relay = relays[0]) => {
  const envelope = sealToolCall(bot, id);
  return relay.send(bot.caller, { conversationId: id, envelope }).then(
    () => envelope,
    (failure: RequestError) => failure,
  );
};
const accepted = (results: readonly object[]) => results.filter((result) => !(result instanceof Error)).length;
/** Lets time pass for the calls of an agent that were counted. */
const pass = (bot: Bot, seconds: number) =>
  sql`update tool_call_times set sent_at = sent_at - make_interval(secs => ${seconds}) where agent_id = ${bot.id}`.execute(
    one.platform.db,
  );

describe('TC-7 tool calls', () => {
  it('TC-7 of 100 calls at once over two nodes and two conversations exactly 60 go', async () => {
    const { bot, ids } = await prepare();
    const work = Array.from({ length: 100 }, (_, n) => call(bot, ids[n % 2]!, relays[(n >> 1) % 2]));
    expect(accepted(await Promise.all(work))).toBe(60);
    const { rows } = await sql<{ sent: number; last: number }>`
      select (select count(*)::int from messages where sender_id = ${bot.id}) as sent,
        (select sum(last_seq)::int from conversations where id = any(${[...ids]}::uuid[])) as last`.execute(
      one.platform.db,
    );
    expect(rows).toEqual([{ sent: 60, last: 60 }]);
  });

  it('TC-7 the window rolls: a call is free again 60 s after it, not before, and not all at once', async () => {
    const { bot, ids } = await prepare();
    for (let n = 0; n < 30; n++) await call(bot, ids[0]);
    await pass(bot, 20);
    for (let n = 0; n < 30; n++) await call(bot, ids[0]);
    const refused = (await call(bot, ids[0])) as RequestError;
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
    // 40 at most; how much less depends on how long the calls above took.
    expect(refused.params.retry_after_seconds).toBeGreaterThan(0);
    expect(refused.params.retry_after_seconds).toBeLessThanOrEqual(40);
    await pass(bot, 41);
    const again = await Promise.all(Array.from({ length: 40 }, () => call(bot, ids[0])));
    expect(accepted(again)).toBe(30);
  });

  it('TC-7 a retry of an accepted call does not count', async () => {
    const { bot, ids } = await prepare();
    const first = sealToolCall(bot, ids[0]);
    const retry = () => relays[1].send(bot.caller, { conversationId: ids[0], envelope: first });
    const ack = await retry();
    await Promise.all(Array.from({ length: 50 }, retry));
    const rest = await Promise.all(Array.from({ length: 60 }, () => call(bot, ids[0])));
    expect(accepted(rest)).toBe(59);
    expect(await retry()).toEqual(ack);
  });

  it('TC-7 nothing else is limited: other messages of the agent, and other agents', async () => {
    const { bot, ids } = await prepare();
    await Promise.all(Array.from({ length: 61 }, () => call(bot, ids[0])));
    const texts = Array.from({ length: 100 }, () =>
      relays[0].send(bot.caller, { conversationId: ids[0], envelope: seal(bot, ids[0]) }),
    );
    expect(await Promise.all(texts)).toHaveLength(100);
    const other = await prepare();
    expect(await call(other.bot, other.ids[0])).not.toBeInstanceOf(Error);
  });

  it('TC-7 over HTTP it is 429 with Retry-After, on a socket an error frame of the same code', async () => {
    const { bot, ids } = await prepare();
    await Promise.all(Array.from({ length: 60 }, () => call(bot, ids[0])));
    const path = `/conversations/${ids[0]}/messages`;
    const reply = await one.call('POST', path, { token: bot.token, body: sealToolCall(bot, ids[0]) });
    expect(reply.status).toBe(429);
    expect(reply.body.error).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(50);
    const socket = await connect(two, bot);
    const envelope = sealToolCall(bot, ids[0]);
    socket.send({ type: 'send', envelope });
    expect(await socket.next('error')).toMatchObject({
      code: 'RATE_LIMITED',
      i18n_key: 'error.rate_limited',
      params: { retry_after_seconds: expect.any(Number) },
      client_message_id: envelope.header.client_message_id,
    });
    await socket.end();
  });
});
