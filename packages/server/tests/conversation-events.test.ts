import { createRandom } from '@parley/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConversation } from '../src/conversations/create.ts';
import { createCursors } from '../src/conversations/cursors.ts';
import { changeMembers } from '../src/conversations/members.ts';
import { lockConversation } from '../src/conversations/store.ts';
import type { Recipient } from '../src/events/events.ts';
import { hasEventFrom, readEvents } from '../src/events/inbox.ts';
import { createId } from '../src/id.ts';
import { pipeOf } from '../src/storage/pipeline.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const makePeople = (count: number): Recipient[] =>
  Array.from({ length: count }, () => ({ kind: 'human' as const, id: createId() }));
async function makeGroup(people: readonly Recipient[]): Promise<string> {
  const { db, now } = server.platform;
  const members = people.map((person) => ({ ...person, role: 'member' as const }));
  return (await db.transaction().execute((trx) => createConversation(trx, { kind: 'group', members, now: now() })))!;
}
/** Changes something about the group; `n` is in what its members are told. */
const change = (conversationId: string, n: string, removed: readonly Recipient[] = []) =>
  changeMembers(server.platform, async (trx) => {
    await lockConversation(trx, conversationId);
    for (const { id } of removed)
      await trx
        .updateTable('members')
        .set({ left_at: new Date() })
        .where('conversation_id', '=', conversationId)
        .where('member_id', '=', id)
        .execute();
    return { conversationId, added: [{ kind: 'human', id: n, role: 'member' }], removed };
  });
const join = (conversationId: string, { kind, id }: Recipient) =>
  server.platform.db
    .insertInto('members')
    .values({ conversation_id: conversationId, member_kind: kind, member_id: id })
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'member_kind', 'member_id']).doUpdateSet({ left_at: null }),
    )
    .execute();
const read = (person: Recipient, after = 0) => readEvents(server.platform.db, person, { after, limit: 1_000 });
const heard = async (person: Recipient) =>
  (await read(person)).map(({ payload }) => (payload.added as { id: string }[])[0]!.id);
const countRows = async () => {
  const { rows } = await sql<{ count: number }>`select (select count(*) from events)::integer
    + (select count(*) from conversation_events)::integer as count`.execute(server.platform.db);
  return rows[0]!.count;
};

describe('OP-3 events of conversations', () => {
  it('OP-3 attack: a change in a group of a thousand writes one row, and every member is told', async () => {
    const people = makePeople(1_000);
    const group = await makeGroup(people);
    const before = await countRows();
    await change(group, 'one');
    expect((await countRows()) - before).toBe(1);
    for (const person of [people[0]!, people[500]!, people[999]!]) expect(await heard(person)).toEqual(['one']);
  });

  it('OP-3 attack: so much is stored that counting it takes minutes, and everyone is still told meanwhile', async () => {
    const [ann] = makePeople(1) as [Recipient];
    const group = await makeGroup([ann]);
    const { db, events } = server.platform;
    await db.transaction().execute(async (trx) => {
      await sql`select recount_usage()`.execute(trx);
      await change(group, 'one');
      await events.send([ann], 'h2a.manifest_updated', {});
      expect(await read(ann)).toHaveLength(2);
    });
  });

  it('OP-3 attack: whoever keeps a cursor locked delays nobody else’s acknowledgements', async () => {
    const people = makePeople(5).map((person) => ({ ...person, deviceId: createId(), account: person.id }));
    const [eve, ...others] = people as [(typeof people)[0], ...typeof people];
    const group = await makeGroup(people);
    await change(group, 'one');
    const [event] = await read(eve);
    const { db, storage, now } = server.platform;
    await sql`update conversations set last_seq = 10 where id = ${group}`.execute(db);
    const cursors = createCursors(pipeOf(storage.pool), now, { isDurable: false });
    for (const person of people) await cursors.move(person, group, 1);
    await cursors.moveEvents(eve, event!.position);
    const moveAll = () =>
      Promise.allSettled(
        people.flatMap((one) => [cursors.move(one, group, 2), cursors.moveEvents(one, event!.position)]),
      );
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom('cursors').where('consumer_id', '=', eve.deviceId).execute();
      await trx.deleteFrom('event_cursors').where('consumer_id', '=', eve.deviceId).execute();
      const results = await moveAll();
      expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
      expect(results.slice(2).map(({ status }) => status)).not.toContain('rejected');
    });
    const ids = others.map(({ deviceId }) => deviceId);
    const rows = await db.selectFrom('cursors').select('seq').where('consumer_id', 'in', ids).execute();
    expect(rows.map(({ seq }) => seq)).toEqual([2, 2, 2, 2]);
    expect((await moveAll()).map(({ status }) => status)).not.toContain('rejected');
  });

  it('OP-3 who was taken out is told of that and of nothing after it, even who comes back', async () => {
    const [ann, bob] = makePeople(2) as [Recipient, Recipient];
    const group = await makeGroup([ann, bob]);
    await change(group, 'first');
    await change(group, 'without bob', [bob]);
    await change(group, 'secret');
    expect(await heard(ann)).toEqual(['first', 'without bob', 'secret']);
    expect(await heard(bob)).toEqual(['without bob']);
    await join(group, bob);
    await change(group, 'again');
    expect(await heard(bob)).toEqual(['without bob', 'again']);
  });

  it('OP-3 who joins is told of what happens from then on', async () => {
    const [ann, eve] = makePeople(2) as [Recipient, Recipient];
    const group = await makeGroup([ann]);
    await change(group, 'before');
    await join(group, eve);
    await change(group, 'after');
    expect(await heard(eve)).toEqual(['after']);
  });

  it('OP-3 cursors move over them, and never past the last', async () => {
    const [ann] = makePeople(1) as [Recipient];
    const group = await makeGroup([ann]);
    const { db, events, storage, now } = server.platform;
    await change(group, 'one');
    await events.send([ann], 'h2a.manifest_updated', {});
    await change(group, 'two');
    const positions = (await read(ann)).map(({ position }) => position);
    expect(positions).toHaveLength(3);
    const cursors = createCursors(pipeOf(storage.pool), now, { isDurable: false });
    const deviceId = createId();
    const cursor = async (position: number) => {
      await cursors.moveEvents({ ...ann, deviceId, account: ann.id }, position);
      const row = await db.selectFrom('event_cursors').select('event_id').where('consumer_id', '=', deviceId).execute();
      return row[0]?.event_id;
    };
    expect(await cursor(positions[0]!)).toBe(positions[0]);
    expect(await cursor(1e9)).toBe(positions[2]);
    expect(await hasEventFrom(db, ann, positions[2]!)).toBe(true);
    expect(await hasEventFrom(db, ann, positions[2]! + 1)).toBe(false);
  });

  it('OP-3 who reads while many write misses nothing, and nothing comes before what was read', async () => {
    const people = makePeople(6);
    const groups = [await makeGroup(people), await makeGroup(people.slice(0, 3)), await makeGroup(people.slice(2))];
    const { events } = server.platform;
    const random = createRandom(16);
    const seen = new Map(people.map(({ id }) => [id, [] as number[]]));
    let isOver = false;
    const readers = people.map(async (person) => {
      const mine = seen.get(person.id)!;
      for (let isLast = false; !isLast; ) {
        isLast = isOver;
        mine.push(...(await read(person, mine.at(-1) ?? 0)).map(({ position }) => position));
      }
    });
    const steps = Array.from({ length: 60 }, () => [random.between(0, 3), random.between(0, 5)] as const);
    await Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (const [group, person] of steps.filter((_, index) => index % 3 === writer)) {
          if (group < 3) await change(groups[group]!, 'x');
          else await events.send([people[person]!], 'h2a.manifest_updated', {});
        }
      }),
    );
    isOver = true;
    await Promise.all(readers);
    for (const person of people) {
      const all = (await read(person)).map(({ position }) => position);
      expect(seen.get(person.id)).toEqual(all);
      expect(all).toEqual([...all].sort((a, b) => a - b));
    }
  });

  it('OP-12 while a node runs that does not know them, each member has a row of their own', async () => {
    const people = makePeople(5);
    const group = await makeGroup(people);
    const { db } = server.platform;
    await sql`insert into socket_nodes (id, seen_at) values (${createId()}, now())`.execute(db);
    try {
      const before = await countRows();
      await change(group, 'old');
      expect((await countRows()) - before).toBe(5);
      expect(await heard(people[0]!)).toEqual(['old']);
    } finally {
      await sql`delete from socket_nodes where not reads_conversation_events`.execute(db);
    }
  });
});
