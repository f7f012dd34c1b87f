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
});
