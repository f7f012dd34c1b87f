import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneBlocks } from '../../src/contacts/blocks.ts';
import { befriend } from '../harness/contacts.ts';
import type { Reply, TestServer } from '../harness/server.ts';
import { startTestServer } from '../harness/server.ts';
import { addTalker, type Speaker, seal, type Talker } from '../harness/talk.ts';

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
