import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay } from '../../src/conversations/relay.ts';
import type { RequestError } from '../../src/http/request-error.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { addBot, addTalker, relate, seal } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

describe('TR-8 attacks on the relay', () => {
  it('TR-8 one sender who fills the queue is told to wait; the others are served', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const bot = await addBot(server, ann);
    const [hers, eves] = [await relate(server, ann, bot), await relate(server, eve, bot)];
    const relay = createRelay(server.platform);
    const send = (who: typeof ann, conversationId: string) =>
      relay.send(who.caller, { conversationId, envelope: seal(who, conversationId) }).then(
        () => 'stored',
        (failure: RequestError) => failure.code,
      );
    // A lock on the conversation holds up whatever was sent to it.
    const { flood, mine } = await server.platform.db.transaction().execute(async (trx) => {
      await sql`select from conversations where id = any(${[hers, eves]}::uuid[]) for update`.execute(trx);
      const flood = Array.from({ length: 3_000 }, () => send(eve, eves));
      const refused = await Promise.race(flood);
      expect(refused).toBe('RATE_LIMITED');
      return { flood, mine: send(ann, hers) };
    });
    expect(await mine).toBe('stored');
    const codes = await Promise.all(flood);
    expect(new Set(codes)).toEqual(new Set(['stored', 'RATE_LIMITED']));
    expect(codes.filter((code) => code === 'stored').length).toBeLessThanOrEqual(1_500);
    expect(await send(eve, eves)).toBe('stored');
    await relay.close();
  });

  it('OP-3 attack: whoever keeps a conversation locked for long delays its messages, and nobody else’s', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const bot = await addBot(server, ann);
    const relay = createRelay(server.platform);
    const send = (who: typeof ann, conversationId: string) =>
      relay.send(who.caller, { conversationId, envelope: seal(who, conversationId) });
    const eves = await relate(server, eve, bot);
    // Some of them share a queue with hers.
    const others: string[] = [];
    for (let n = 0; n < 8; n++) others.push(await relate(server, ann, await addBot(server, ann)));
    const held = await server.platform.db.transaction().execute(async (trx) => {
      await sql`select from conversations where id = ${eves} for update`.execute(trx);
      const held = Array.from({ length: 700 }, () => send(eve, eves));
      for (const conversation of others) expect((await send(ann, conversation)).conversation_seq).toBe(1);
      held.push(send(eve, eves));
      for (const conversation of others) expect((await send(ann, conversation)).conversation_seq).toBe(2);
      return held;
    });
    const numbers = (await Promise.all(held)).map(({ conversation_seq }) => conversation_seq);
    expect(numbers).toEqual(Array.from({ length: 701 }, (_, n) => n + 1));
    await relay.close();
  });
});
