import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneBlocks } from '../../src/contacts/blocks.ts';
import { createId } from '../../src/id.ts';
import { befriend } from '../harness/contacts.ts';
import type { Reply, TestServer } from '../harness/server.ts';
import { startTestServer } from '../harness/server.ts';
import { addBot, addTalker, type Speaker, seal, type Talker } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const call = (who: Speaker, method: string, path: string, body?: unknown): Promise<Reply> =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const block = (who: Speaker, other: Speaker) => call(who, 'POST', '/contacts/blocked', { user_id: other.id });
const unblock = (who: Speaker, other: Speaker) => call(who, 'DELETE', `/contacts/blocked/${other.id}`);
const start = (who: Speaker, { id }: Speaker) =>
  call(who, 'POST', '/conversations', { kind: 'h2h', members: [{ kind: 'human', id }] });

interface Pair {
  readonly bob: Talker;
  readonly mallory: Talker;
}
async function meet(): Promise<Pair> {
  const [bob, mallory] = [await addTalker(server), await addTalker(server)];
  await befriend(server, bob.id, mallory.id);
  return { bob, mallory };
}
async function say(who: Talker, id: string): Promise<number> {
  const envelope = seal(who, id, { created_at: server.clock.now().toISOString() });
  const { status, body } = await call(who, 'POST', `/conversations/${id}/messages`, envelope);
  expect(status).toBe(200);
  return body.conversation_seq;
}
const read = async (who: Talker, id: string): Promise<number[]> =>
  (await call(who, 'GET', `/conversations/${id}/messages`)).body.messages.map(
    ({ conversation_seq: seq }: { conversation_seq: number }) => seq,
  );
/** Runs while the clock of the node stands elsewhere. */
async function displaced<T>(ms: number, run: () => Promise<T>): Promise<T> {
  server.clock.jump(ms);
  try {
    return await run();
  } finally {
    server.clock.jump(-ms);
  }
}

describe('AC-6 attack: a clock that jumps', () => {
  for (const minutes of [-1, -60, 4]) {
    it(`AC-6 attack: blocked, then the clock jumps by ${minutes} minutes: nothing they write comes`, async () => {
      const { bob, mallory } = await meet();
      const id = (await start(bob, mallory)).body.conversation_id;
      await say(mallory, id);
      await block(bob, mallory);
      expect(await displaced(minutes * 60_000, () => say(mallory, id))).toBe(2);
      await say(mallory, id);
      expect(await read(bob, id)).toEqual([1]);
      await displaced(minutes * 60_000, () => unblock(bob, mallory));
      expect(await read(bob, id)).toEqual([1]);
      expect(await read(mallory, id)).toEqual([1, 2, 3]);
    });

    it(`AC-6 attack: unblocked, then the clock jumps by ${minutes} minutes: everything comes again`, async () => {
      const { bob, mallory } = await meet();
      const id = (await start(bob, mallory)).body.conversation_id;
      await block(bob, mallory);
      await say(mallory, id);
      await unblock(bob, mallory);
      expect(await displaced(minutes * 60_000, () => say(mallory, id))).toBe(2);
      expect(await read(bob, id)).toEqual([2]);
    });
  }

  it('AC-6 attack: blocked, then the clock goes back and they begin the conversation of two: it is not shown', async () => {
    const { bob, mallory } = await meet();
    await block(bob, mallory);
    const id = await displaced(-3_600_000, async () => (await start(mallory, bob)).body.conversation_id as string);
    await displaced(-3_600_000, () => say(mallory, id));
    expect((await call(bob, 'GET', '/conversations')).body.conversations).toEqual([]);
    expect(await read(bob, id)).toEqual([]);
    await unblock(bob, mallory);
    await say(mallory, id);
    expect(await read(bob, id)).toEqual([2]);
  });

  it('AC-6 attack: blocked again within a millisecond, or an hour earlier by the clock: each time counts', async () => {
    const { bob, mallory } = await meet();
    const id = (await start(bob, mallory)).body.conversation_id;
    const blockedSay = async () => {
      expect((await block(bob, mallory)).status).toBe(201);
      await say(mallory, id);
      expect((await unblock(bob, mallory)).status).toBe(204);
      await say(mallory, id);
    };
    await blockedSay();
    await blockedSay();
    await displaced(-3_600_000, blockedSay);
    expect(await read(bob, id)).toEqual([2, 4, 6]);
  });

  it('AC-6 attack: unblocked by a clock that was behind: the block is kept as long as a message of that time', async () => {
    const { bob, mallory } = await meet();
    const id = (await start(bob, mallory)).body.conversation_id;
    await block(bob, mallory);
    await say(mallory, id);
    await displaced(-3_600_000, () => unblock(bob, mallory));
    await pruneBlocks(server.platform.db, new Date(server.clock.now().getTime() - 60_000));
    expect(await read(bob, id)).toEqual([]);
    await server.platform.db.deleteFrom('messages').where('conversation_id', '=', id).execute();
    await pruneBlocks(server.platform.db, server.clock.now());
    const left = server.platform.db.selectFrom('blocks').select('since').where('account_id', '=', bob.id);
    expect(await left.execute()).toEqual([]);
  });
});

describe('AC-6 attack: agents around a block', () => {
  const add = (who: Speaker, body: object) => call(who, 'POST', '/h2a/relations', { granted_scopes: [], ...body });

  it('AC-7 attack: blocking someone to try which public agents are theirs, without adding any', async () => {
    const { bob, mallory } = await meet();
    const [theirs, other] = [await addBot(server, mallory), await addBot(server, await addTalker(server))];
    const id = (await start(bob, mallory)).body.conversation_id;
    await block(bob, mallory);
    for (const more of [
      { manifest_hash: '0'.repeat(64) },
      { granted_scopes: ['files:read'] },
      // An id that is taken.
      { conversation_id: id },
    ]) {
      const [first, second] = [
        await add(bob, { agent_id: theirs.id, ...more }),
        await add(bob, { agent_id: other.id, ...more }),
      ];
      expect(first.status).toBeGreaterThanOrEqual(400);
      expect(first.body.error.code).not.toBe('ACCOUNT_BLOCKED');
      expect([first.status, first.body.error]).toEqual([
        second.status,
        { ...second.body.error, request_id: expect.any(String) },
      ]);
    }
    const meant = await add(bob, { agent_id: theirs.id });
    expect([meant.status, meant.body.error?.code]).toEqual([409, 'ACCOUNT_BLOCKED']);
    expect((await add(bob, { agent_id: other.id })).status).toBe(201);
  });

  it('AC-6 attack: their agent is added at the moment of the block: no relation is left', async () => {
    const { bob, mallory } = await meet();
    const bot = await addBot(server, bob);
    const conversationId = createId();
    const { db } = server.platform;
    const waiting = async (kind: string) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks
        where not granted and locktype = ${kind}`.execute(db);
      return rows[0]!.count > 0;
    };
    let added: Promise<Reply> | undefined;
    let blocked: Promise<Reply> | undefined;
    let isBlocked = false;
    // Holds the id, so that the relation waits between what it has checked and its end.
    await db.transaction().execute(async (trx) => {
      await sql`insert into conversations (id, kind) values (${conversationId}, 'h2a')`.execute(trx);
      added = add(mallory, { agent_id: bot.id, conversation_id: conversationId });
      await until(() => waiting('transactionid'));
      blocked = block(bob, mallory).then((reply) => {
        isBlocked = true;
        return reply;
      });
      await until(async () => isBlocked || (await waiting('advisory')));
      await sql`delete from conversations where id = ${conversationId}`.execute(trx);
    });
    expect((await blocked!).status).toBe(201);
    await added;
    const left = await db
      .selectFrom('h2a_relations')
      .select('status')
      .where('account_id', '=', mallory.id)
      .where('status', '<>', 'ended')
      .execute();
    expect(left).toEqual([]);
  });
});
