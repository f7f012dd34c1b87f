import { randomUUID } from 'node:crypto';
import { createDeferred } from '@parley/base';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consumerOf } from '../../src/conversations/consumer.ts';
import { createCursors } from '../../src/conversations/cursors.ts';
import { createRelay } from '../../src/conversations/relay.ts';
import { readEvents } from '../../src/events/inbox.ts';
import { type Pipe, pipeOf } from '../../src/storage/pipeline.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { addBot, addTalker, relate, seal, type Talker } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

/** A conversation whose messages go through the same queue as those of the other. */
async function relateBeside(person: Talker, other: string): Promise<string> {
  for (;;) {
    const conversation = await relate(server, person, await addBot(server, person));
    if (Number.parseInt(conversation.slice(-1), 16) % 2 === Number.parseInt(other.slice(-1), 16) % 2)
      return conversation;
  }
}

/** The first message of an account waits until it is known how much the account has stored. */
const known = (...talkers: readonly Talker[]) =>
  Promise.all(talkers.map(({ id }) => server.platform.budgets.reserveBytes(id, 0)));

describe('OP-3 turns', () => {
  it('OP-3 attack: a thousand messages of one account wait; the message of another is in the next batch', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const eves = await relate(server, eve, await addBot(server, eve));
    const anns = await relateBeside(ann, eves);
    await known(ann, eve);
    const relay = createRelay(server.platform);
    const stored: string[] = [];
    relay.onStored(({ message }) => void stored.push(message.sender_id));
    const send = (who: Talker, conversationId: string) =>
      relay.send(who.caller, { conversationId, envelope: seal(who, conversationId) });
    const sent = await server.platform.db.transaction().execute(async (trx) => {
      // The first batch waits for this lock.
      await sql`select from conversations where id = ${eves} for update`.execute(trx);
      const first = send(eve, eves);
      await new Promise(setImmediate);
      const flood = Array.from({ length: 900 }, () => send(eve, eves));
      return [first, ...flood, send(ann, anns)];
    });
    await Promise.all(sent);
    expect(stored).toHaveLength(902);
    expect(stored.indexOf(ann.id)).toBeLessThan(501);
    await relay.close();
  });

  it('OP-3 attack: large messages of one account wait; the small one of another does not wait for them', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const eves = await relate(server, eve, await addBot(server, eve));
    const anns = await relateBeside(ann, eves);
    await known(ann, eve);
    const relay = createRelay(server.platform);
    const stored: string[] = [];
    relay.onStored(({ message }) => void stored.push(message.sender_id));
    const wrap = { to: eve.deviceId, key: 'k'.repeat(100) };
    const large = () => ({ ...seal(eve, eves), wraps: Array.from({ length: 2_000 }, () => wrap) });
    const send = (who: Talker, conversationId: string, envelope = seal(who, conversationId)) =>
      relay.send(who.caller, { conversationId, envelope });
    const sent = await server.platform.db.transaction().execute(async (trx) => {
      await sql`select from conversations where id = ${eves} for update`.execute(trx);
      const first = send(eve, eves);
      await new Promise(setImmediate);
      const flood = Array.from({ length: 20 }, () => send(eve, eves, large()));
      return [first, ...flood, send(ann, anns)];
    });
    await Promise.all(sent);
    // Of those that are 300 KB large, three fit into one batch.
    expect(stored.indexOf(ann.id)).toBeLessThanOrEqual(4);
    await relay.close();
  });

  it('OP-3 attack: messages to many large groups cost what their members cost; one to a friend does not wait for them', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const eves = await relate(server, eve, await addBot(server, eve));
    const anns = await relateBeside(ann, eves);
    await known(ann, eve);
    const { db } = server.platform;
    const { rows } = await sql<{ id: string }>`
      with groups as (
        insert into conversations (id, kind)
        select (substr(gen_random_uuid()::text, 1, 35) || right(${eves}, 1))::uuid, 'group' from generate_series(1, 40)
        returning id),
      filled as (
        insert into members (conversation_id, member_kind, member_id)
        select id, 'agent', gen_random_uuid() from groups, generate_series(1, 300)
        union all select id, 'human', ${eve.id}::uuid from groups)
      select id from groups`.execute(db);
    const relay = createRelay(server.platform);
    const stored: string[] = [];
    relay.onStored(({ message }) => void stored.push(message.sender_id));
    const send = (who: Talker, conversationId: string) =>
      relay.send(who.caller, { conversationId, envelope: seal(who, conversationId) });
    const flood = async (): Promise<number> => {
      stored.length = 0;
      const sent = await db.transaction().execute(async (trx) => {
        await sql`select from conversations where id = ${eves} for update`.execute(trx);
        const first = send(eve, eves);
        await new Promise(setImmediate);
        return [first, ...rows.map(({ id }) => send(eve, id)), send(ann, anns)];
      });
      await Promise.all(sent);
      expect(stored).toHaveLength(42);
      return stored.indexOf(ann.id);
    };
    // Before anyone knows how large they are, a batch takes only some.
    expect(await flood()).toBeLessThan(16);
    expect(await flood()).toBeLessThan(4);
    await relay.close();
  });

  it('OP-3 what an account sends into a conversation keeps its order, whoever sends into it at the same time', async () => {
    const [eve, owner] = [await addTalker(server), await addTalker(server)];
    const bots = [await addBot(server, owner), await addBot(server, owner)];
    const conversations = [await relate(server, eve, bots[0]!), await relate(server, eve, bots[1]!)];
    const relay = createRelay(server.platform);
    const step = fc.record({ to: fc.constantFrom(0, 1), byBot: fc.boolean(), pause: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
        const acks: { key: string; ack: ReturnType<typeof relay.send> }[] = [];
        for (const { to, byBot, pause } of steps) {
          const [speaker, conversationId] = [byBot ? bots[to]! : eve, conversations[to]!];
          const envelope = seal(speaker, conversationId);
          acks.push({ key: `${to} ${byBot}`, ack: relay.send(speaker.caller, { conversationId, envelope }) });
          if (pause) await new Promise(setImmediate);
        }
        const last = new Map<string, number>();
        for (const { key, ack } of acks) {
          const { conversation_seq: seq } = await ack;
          expect(seq).toBeGreaterThan(last.get(key) ?? 0);
          last.set(key, seq);
        }
      }),
      { numRuns: 20 },
    );
    await relay.close();
  });

  it('OP-3 attack: agents do not multiply the turns of acknowledgements, and memberships do not make one dearer', async () => {
    const { storage, now } = server.platform;
    const flushes: { text: string; consumers: readonly string[] }[] = [];
    const pipe: Pipe = {
      query: async ({ text, values }) => {
        flushes.push({ text, consumers: values[2] as string[] });
        return [];
      },
    };
    const cursors = createCursors(pipe, now, { isDurable: false });
    const agent = (account: string) => ({ kind: 'agent' as const, id: randomUUID(), account });
    const eves = Array.from({ length: 1_500 }, () => agent('eve'));
    const ann = agent('ann');
    await Promise.all([...eves, ann].map((consumer) => cursors.moveEvents(consumer, 1)));
    expect(flushes).toHaveLength(2);
    expect(flushes[0]!.consumers).toContain(ann.id);
    // The position is bounded by what was given to anybody, without a look into each conversation of each of them.
    expect(flushes[0]!.text).not.toMatch(/members|conversation_events/);
    await pipeOf(storage.pool).query({
      name: 'moves',
      text: flushes[0]!.text,
      values: [false, ['agent'], [ann.id], [1e9]],
    });
  });

  it('OP-3 attack: acknowledgements that take too long are refused without the others of their moment', async () => {
    const slow = randomUUID();
    const pipe: Pipe = {
      query: async ({ values }) => {
        if ((values[2] as string[]).includes(slow)) throw Object.assign(new Error('too long'), { code: '57014' });
        return [];
      },
    };
    const cursors = createCursors(pipe, server.platform.now, { isDurable: false });
    const ids = [...Array.from({ length: 20 }, () => randomUUID()), slow];
    const moved = await Promise.allSettled(ids.map((id) => cursors.moveEvents({ kind: 'agent', id, account: id }, 1)));
    expect(moved.map(({ status }) => status)).toEqual([...Array(20).fill('fulfilled'), 'rejected']);
  });

  it('OP-3 attack: ten thousand acknowledgements of one moment are two statements, and an innocent’s is in them', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const { db, events, storage, now } = server.platform;
    const people = [ann, eve].map(({ id }) => ({ kind: 'human' as const, id }));
    for (let n = 0; n < 3; n++) await events.send(people, 'h2a.manifest_updated', { n });
    const positions = (await Promise.all(people.map((person) => readEvents(db, person, { after: 0, limit: 10 })))).map(
      (found) => found.map(({ position }) => position),
    );
    const conversation = await relate(server, eve, await addBot(server, eve));
    const statements: string[] = [];
    const pipe = pipeOf(storage.pool);
    const gate = createDeferred();
    const counting: typeof pipe = {
      query: async (statement) => {
        statements.push(statement.name);
        await gate.promise;
        return pipe.query(statement);
      },
    };
    const cursors = createCursors(counting, now, { isDurable: false });
    const consumer = consumerOf(eve.caller);
    const moved: Promise<void>[] = [];
    for (let n = 0; n < 10_000; n++) {
      moved.push(cursors.moveEvents(consumer, n % 2 === 0 ? positions[1]![1]! : 0));
      moved.push(cursors.move(consumer, conversation, n));
    }
    moved.push(cursors.moveEvents(consumerOf(ann.caller), 1e9));
    gate.resolve();
    await Promise.all(moved);
    expect(statements.sort()).toEqual(['cursors-move', 'event-cursors-move']);
    const rows = await db.selectFrom('event_cursors').selectAll().execute();
    const cursorOf = (deviceId: string) => rows.find(({ consumer_id }) => consumer_id === deviceId)?.event_id;
    expect(cursorOf(eve.deviceId)).toBe(positions[1]![1]);
    // Past the last event that anybody has is the last one.
    expect(cursorOf(ann.deviceId)).toBe(Math.max(...positions.flat()));
  });
});
