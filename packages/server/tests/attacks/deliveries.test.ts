import { canonicalise } from '@parley/documents';
import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROW_BYTES } from '../../src/budgets/row-bytes.ts';
import { readUsage, recountUsage } from '../../src/budgets/stored-bytes.ts';
import { createConversation } from '../../src/conversations/create.ts';
import { forgetDelivered } from '../../src/conversations/retention.ts';
import { queueForWebhooks } from '../../src/events/webhook-outbox.ts';
import { createId } from '../../src/id.ts';
import { jobs } from '../../src/jobs.ts';
import { ADVISORY_LOCKS } from '../../src/storage/advisory-locks.ts';
import type { Db } from '../../src/storage/database.ts';
import { fanOut } from '../../src/webhooks/fan-out.ts';
import { createFanOutTurns } from '../../src/webhooks/fan-out-turns.ts';
import { removeWebhook } from '../../src/webhooks/settings.ts';
import { SLOT_LIMITS } from '../../src/webhooks/slots.ts';
import { forgetEnvelopes, pruneDeliveries } from '../../src/webhooks/store.ts';
import { createWaitingRoom, type WaitingRoom } from '../../src/webhooks/waiting-room.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { addBot, addTalker, type Bot, relate, seal, type Talker } from '../harness/talk.ts';
import { type Watcher, watchAgent } from '../harness/watch.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

async function addHook(owner: Talker, url = receiver.url): Promise<Bot> {
  const bot = await addBot(server, owner, { mode: 'webhook', groups: true });
  const reply = await server.call('PUT', `/agents/${bot.id}/webhook`, { token: owner.token, body: { url } });
  expect(reply.status).toBe(200);
  return bot;
}
function createGroup(owner: Talker, bots: readonly Bot[]): Promise<string | undefined> {
  const members = [
    { kind: 'human' as const, id: owner.id, role: 'owner' as const },
    ...bots.map(({ id }) => ({ kind: 'agent' as const, id, role: 'member' as const })),
  ];
  const { db, now } = server.platform;
  return db.transaction().execute((trx) => createConversation(trx, { kind: 'group', members, now: now() }));
}
const send = (who: Talker, conversation: string, envelope = seal(who, conversation)) =>
  server.call('POST', `/conversations/${conversation}/messages`, { token: who.token, body: envelope });
const observe = (agentIds: readonly string[], payload: object) =>
  server.platform.db
    .transaction()
    .execute((trx) => queueForWebhooks(trx, server.platform, agentIds, 'message.new', payload));
const bodies = (from = receiver) => from.received.map(({ body }) => JSON.parse(body));
/** No dispatcher takes this agent until it is let go. */
const hold = ({ id }: Bot) =>
  sql`insert into webhook_queues (agent_id, leased_until) values (${id}, now() + interval '1 hour')
    on conflict (agent_id) do update set leased_until = excluded.leased_until`.execute(server.platform.db);
const letGo = ({ id }: Bot) =>
  sql`update webhook_queues set leased_until = null where agent_id = ${id}`.execute(server.platform.db);

/** How many deliveries were not made, as the owner sees it. */
const countRefused = ({ events }: Watcher) =>
  events.reduce((sum, { type, count }) => (type === 'webhook.refused' ? sum + count : sum), 0);

describe('OP-4 what a message to webhooks costs', () => {
  it('OP-1 OP-4 attack: what is kept for a webhook counts for its sender, until the webhook has had it for a day', async () => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    const conversation = await relate(server, eve, bot);
    const { db } = server.platform;
    const used = async () => (await readUsage(db, [eve.id])).get(eve.id)?.bytes ?? 0;
    const before = await used();
    const envelope = { ...seal(eve, conversation), wraps: [{ to: eve.deviceId, key: 'k'.repeat(360) }] };
    expect((await send(eve, conversation, envelope)).status).toBe(200);
    await until(() => expect(receiver.received).toHaveLength(1));
    const delivered = sql<{ status: string }>`select status from webhook_deliveries where agent_id = ${bot.id}`;
    await until(async () => expect((await delivered.execute(db)).rows).toEqual([{ status: 'delivered' }]));
    const size = (await used()) - before;
    const envelopeSize = canonicalise(envelope as never).length;
    expect(size).toBeGreaterThan(envelopeSize);
    await forgetDelivered(db);
    expect(await used()).toBe(before + size);
    await recountUsage(db);
    expect(await used()).toBe(before + size);

    await forgetEnvelopes(db, new Date(Date.now() - 86_400_000));
    expect(await used()).toBe(before + size);
    await forgetEnvelopes(db, new Date(Date.now() + 1_000));
    expect(await used()).toBe(before + size - envelopeSize);
    // The message itself is still a row.
    await pruneDeliveries(db, new Date(Date.now() + 1_000));
    expect(await used()).toBe(before + ROW_BYTES.message);
  });

  it('OP-4 what a webhook has not had yet is kept for it, however old, and counts until its log is deleted', async () => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    await hold(bot);
    const conversation = await relate(server, eve, bot);
    const { db } = server.platform;
    const used = async () => (await readUsage(db, [eve.id])).get(eve.id)?.bytes ?? 0;
    const before = await used();
    await send(eve, conversation);
    const rows = sql`select 1 from webhook_deliveries where agent_id = ${bot.id}`;
    await until(async () => expect((await rows.execute(db)).rows).toHaveLength(1));
    await forgetDelivered(db);
    const later = new Date(Date.now() + 1_000);
    await forgetEnvelopes(db, later);
    expect(await used()).toBeGreaterThan(before);
    await sql`update webhook_deliveries set status = 'failed', next_at = null where agent_id = ${bot.id}`.execute(db);
    await forgetEnvelopes(db, later);
    expect(await used()).toBeGreaterThan(before);
    await pruneDeliveries(db, later);
    expect(await used()).toBe(before + ROW_BYTES.message);
  });

  it('OP-4 attack: 400 KB to thirty webhooks are stored once, and all thirty get them', async () => {
    const eve = await addTalker(server);
    const bots: Bot[] = [];
    for (let n = 0; n < 30; n++) bots.push(await addHook(eve));
    const group = (await createGroup(eve, bots))!;
    const wrap = { to: eve.deviceId, key: 'k'.repeat(360) };
    const envelope = { ...seal(eve, group), wraps: Array.from({ length: 1_000 }, () => wrap) };
    expect((await send(eve, group, envelope)).status).toBe(200);
    await until(() => expect(receiver.received).toHaveLength(30));
    expect(new Set(bodies().map(({ agent_id }) => agent_id))).toEqual(new Set(bots.map(({ id }) => id)));
    for (const { data } of bodies()) expect(data.envelope).toEqual(envelope);
    const { rows } = await sql<{ deliveries: number; bytes: number }>`
      select count(*)::integer as deliveries, sum(pg_column_size(d.*))::integer
        + (select pg_column_size(e.*) from webhook_events e where e.conversation_id = ${group}) as bytes
      from webhook_deliveries d where d.agent_id = any(${bots.map(({ id }) => id)}::uuid[])`.execute(
      server.platform.db,
    );
    expect(rows[0]!.deliveries).toBe(30);
    expect(rows[0]!.bytes).toBeLessThan(20_000);
  });

  it('OP-4 attack: a webhook that is removed while its deliveries are made leaves none that waits for ever', async () => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    const { platform } = server;
    const removeFirst: WaitingRoom = {
      admit: async (_, wanted) => {
        if (wanted.some(({ ownerId }) => ownerId === eve.id)) await removeWebhook(platform, bot.id);
        return { made: [...wanted], refused: [] };
      },
      add: () => {},
    };
    await platform.db.connection().execute(async (db) => {
      // The dispatcher's own round waits for this connection.
      await sql`select pg_advisory_lock(${ADVISORY_LOCKS.webhookFanOut})`.execute(db);
      await observe([bot.id], {});
      await fanOut({ ...platform, db }, removeFirst);
      await sql`select pg_advisory_unlock(${ADVISORY_LOCKS.webhookFanOut})`.execute(db);
    });
    const rows = sql`select status, last_error from webhook_deliveries where agent_id = ${bot.id}`;
    await until(async () =>
      expect((await rows.execute(platform.db)).rows).toEqual([{ status: 'failed', last_error: 'WEBHOOK_REMOVED' }]),
    );
  });

  it('OP-3 OP-4 a message is acknowledged while no delivery of it can be made, and delivered afterwards', async () => {
    const eve = await addTalker(server);
    const conversation = await relate(server, eve, await addHook(eve));
    const { db } = server.platform;
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.webhookFanOut})`.execute(trx);
      for (let n = 0; n < 3; n++) expect((await send(eve, conversation)).status).toBe(200);
      const { rows } = await sql`select 1 from webhook_events where conversation_id = ${conversation}`.execute(trx);
      expect(rows).toHaveLength(3);
    });
    await until(() => expect(bodies().map(({ data }) => data.conversation_seq)).toEqual([1, 2, 3]));
  });

  it.each(['forgotten', 'deleted'])('OP-4 a message that is %s is still delivered', async (how) => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    await hold(bot);
    const conversation = await relate(server, eve, bot);
    const envelope = seal(eve, conversation);
    await send(eve, conversation, envelope);
    const { db } = server.platform;
    if (how === 'forgotten') await forgetDelivered(db);
    else await db.deleteFrom('messages').where('conversation_id', '=', conversation).execute();
    const kept = await db
      .selectFrom('messages')
      .select('envelope')
      .where('conversation_id', '=', conversation)
      .execute();
    expect(kept).toEqual(how === 'forgotten' ? [{ envelope: null }] : []);
    await letGo(bot);
    await until(() => expect(bodies()).toMatchObject([{ data: { envelope } }]));
  });
});

describe('OP-3 OP-4 turns of what is made for webhooks', () => {
  /** Only the test makes deliveries meanwhile. */
  const alone = (work: (db: Db) => Promise<void>) =>
    server.platform.db.connection().execute(async (db) => {
      await sql`select pg_advisory_lock(${ADVISORY_LOCKS.webhookFanOut})`.execute(db);
      await work(db).finally(() => sql`select pg_advisory_unlock(${ADVISORY_LOCKS.webhookFanOut})`.execute(db));
    });

  it('OP-3 attack: thousands of conversations with more waiting than a round takes: another’s is in every round', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const [mine, hers] = [await addHook(ann), await addHook(eve)];
    for (const bot of [mine, hers]) await hold(bot);
    const insert = (account: string, bot: Bot, count: number) => sql`
      insert into webhook_events (account_id, event_type, payload, conversation_id, agent_ids, deliveries, created_at)
      select ${account}, 'message.new', '{}', gen_random_uuid(), array[${bot.id}::uuid], ${count === 1 ? 1 : 40}, now()
      from generate_series(1, ${count}::integer)`;
    const open = (account: string) => sql<{ count: number }>`
      select count(*) as count from webhook_events where account_id = ${account} and agent_ids is not null`;
    const room: WaitingRoom = { admit: async (_, wanted) => ({ made: [...wanted], refused: [] }), add: () => {} };
    const turns = createFanOutTurns();
    await alone(async (db) => {
      const count = async (account: string) => (await open(account).execute(db)).rows[0]!.count;
      await insert(eve.id, hers, 3_000).execute(db);
      for (let round = 1; round <= 5; round++) {
        await insert(ann.id, mine, 1).execute(db);
        const before = await count(eve.id);
        expect(await fanOut({ ...server.platform, db }, room, turns)).toBe(true);
        expect(await count(ann.id)).toBe(0);
        const after = await count(eve.id);
        expect(after).toBeLessThan(before);
        expect(after).toBeGreaterThan(before - 50);
      }
      await sql`delete from webhook_events where account_id = ${eve.id}`.execute(db);
    });
  });

  it('OP-1 OP-4 attack: what waits for its deliveries counts, too: the newest are not made, and the owner sees how many', async () => {
    const eve = await addTalker(server);
    const bots = [await addHook(eve), await addHook(eve), await addHook(eve)];
    const group = (await createGroup(eve, bots))!;
    const { db, budgets } = server.platform;
    await db
      .insertInto('account_budgets')
      .values({ account_id: eve.id, budget: 'waiting_deliveries', value: 5 })
      .execute();
    await budgets.reload();
    const watcher = await watchAgent(server, bots[0]!.id, { token: eve.token });
    await alone(async (locked) => {
      for (let n = 0; n < 6; n++) expect((await send(eve, group)).status).toBe(200);
      const { rows } = await sql<{ seq: number; deliveries: number }>`
        select seq, deliveries from webhook_events where conversation_id = ${group} order by id`.execute(locked);
      expect(rows).toEqual([
        { seq: 1, deliveries: 3 },
        { seq: 2, deliveries: 3 },
      ]);
    });
    await until(() => expect(countRefused(watcher)).toBe(4));
    watcher.leave();
    const polled = await server.call('GET', `/agents/${bots[0]!.id}/messages/poll?wait=0`, { token: bots[0]!.token });
    expect(polled.body.messages).toHaveLength(6);
  });
});

describe('OP-4 deliveries among strangers', () => {
  it('OP-4 attack: a backlog of 960 to endpoints that never answer: another’s is delivered, and the server’s jobs run', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    const silent = await startReceiver();
    silent.answer(0);
    const flood: Bot[] = [];
    for (let n = 0; n < 8; n++) flood.push(await addHook(eve, silent.url));
    const mine = await addHook(ann);
    for (let n = 0; n < 120; n++)
      await observe(
        flood.map(({ id }) => id),
        { n },
      );
    await until(() => expect(silent.received).toHaveLength(SLOT_LIMITS.ofAccount));
    await observe([mine.id], { mine: true });
    await until(() => expect(bodies()).toMatchObject([{ data: { mine: true } }]));
    const { db } = server.platform;
    await jobs.add(db, 'prune_idempotency_keys', {}, { key: 'mine' });
    await until(async () => {
      const { rows } = await sql`select 1 from graphile_worker._private_jobs where key = 'mine'`.execute(db);
      expect(rows).toEqual([]);
    });
    expect(silent.received).toHaveLength(SLOT_LIMITS.ofAccount);
    await silent.close();
  });

  it('OP-4 a delivery and its job that a node of the version before has queued are delivered', async () => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    const id = createId();
    const { db, now } = server.platform;
    const body = JSON.stringify({ type: 'message.new', delivery_id: id, data: { old: true } });
    await db
      .insertInto('webhook_deliveries')
      .values({
        id,
        agent_id: bot.id,
        event_type: 'message.new',
        body,
        next_at: now(),
        expires_at: new Date(Date.now() + 3_600_000),
        created_at: now(),
      })
      .execute();
    await jobs.add(db, 'deliver_webhook', { delivery_id: id }, { key: `webhook:${id}`, queue: `webhook:${bot.id}` });
    await until(() => expect(bodies()).toMatchObject([{ delivery_id: id, data: { old: true } }]));
  });

  const limitWaiting = async ({ id }: Talker, value: number) => {
    const { db, budgets } = server.platform;
    await db.insertInto('account_budgets').values({ account_id: id, budget: 'waiting_deliveries', value }).execute();
    await budgets.reload();
  };
  const countWaiting = async ({ id }: Bot) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from webhook_deliveries where agent_id = ${id} and status = 'pending'`.execute(
      server.platform.db,
    );
    return rows[0]!.count;
  };

  it('OP-1 OP-4 attack: a stranger’s messages to one agent do not use up what may wait for the owner’s other agents', async () => {
    const [ann, ben, eve] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await limitWaiting(ann, 20);
    const [busy, calm] = [await addHook(ann), await addHook(ann)];
    await hold(busy);
    const flood = await relate(server, eve, busy);
    for (let n = 0; n < 40; n++) expect((await send(eve, flood)).status).toBe(200);
    const watcher = await watchAgent(server, busy.id, { token: ann.token });
    await until(() => expect(countRefused(watcher)).toBe(35));
    watcher.leave();
    expect(await countWaiting(busy)).toBe(5);
    const talk = await relate(server, ben, calm);
    expect((await send(ben, talk)).status).toBe(200);
    await until(() => expect(bodies()).toMatchObject([{ agent_id: calm.id, data: { conversation_id: talk } }]));
  });

  it('OP-4 attack: each further stranger gets a quarter of what is left, so that those who come later get some', async () => {
    const ann = await addTalker(server);
    await limitWaiting(ann, 20);
    const bot = await addHook(ann);
    await hold(bot);
    const watcher = await watchAgent(server, bot.id, { token: ann.token });
    for (const [refused, waiting] of [
      [3, 5],
      [7, 9],
      [12, 12],
    ] as const) {
      const eve = await addTalker(server);
      const flood = await relate(server, eve, bot);
      for (let n = 0; n < 8; n++) await send(eve, flood);
      await until(() => expect(countRefused(watcher)).toBe(refused));
      expect(await countWaiting(bot)).toBe(waiting);
    }
    watcher.leave();
    // The owner's own are bounded by the budget only.
    const own = await relate(server, ann, bot);
    for (let n = 0; n < 8; n++) await send(ann, own);
    await until(async () => expect(await countWaiting(bot)).toBe(20));
  });

  it('OP-1 OP-4 what another node has made counts on this one, too, after some seconds', async () => {
    const [ann, eve] = [await addTalker(server), await addTalker(server)];
    await limitWaiting(ann, 8);
    const bot = await addHook(ann);
    await hold(bot);
    const { db, budgets } = server.platform;
    let time = 0;
    const room = createWaitingRoom({ budgets, elapsed: () => time });
    const wanted = [{ ownerId: ann.id, senderId: eve.id }];
    const count = () => db.transaction().execute(async (trx) => (await room.admit(trx, wanted)).made.length);
    expect(await count()).toBe(1);
    const flood = await relate(server, eve, bot);
    for (let n = 0; n < 2; n++) await send(eve, flood);
    await until(async () => expect(await countWaiting(bot)).toBe(2));
    time = 10_000;
    expect(await count()).toBe(0);
  });

  it('OP-3 OP-4 attack: one message to an agent for whom a stranger’s wait is delivered in its turn, not behind all of them', async () => {
    const [ann, ben, eve] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    const bot = await addHook(ann);
    await hold(bot);
    const flood = await relate(server, eve, bot);
    for (let n = 0; n < 60; n++) expect((await send(eve, flood)).status).toBe(200);
    await until(async () => expect(await countWaiting(bot)).toBe(60));
    const talk = await relate(server, ben, bot);
    expect((await send(ben, talk)).status).toBe(200);
    await until(async () => expect(await countWaiting(bot)).toBe(61));
    await letGo(bot);
    await until(() => expect(receiver.received).toHaveLength(61));
    const order = bodies().map(({ data }) => data.conversation_id);
    expect(order.indexOf(talk)).toBeLessThan(2);
    const hers = bodies().filter(({ data }) => data.conversation_id === flood);
    expect(hers.map(({ data }) => data.conversation_seq)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
  });

  it('OP-3 OP-4 attack: a message that comes while a stranger’s are delivered has its turn among the next few', async () => {
    const [ann, ben, eve] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    const bot = await addHook(ann);
    await hold(bot);
    const [flood, talk] = [await relate(server, eve, bot), await relate(server, ben, bot)];
    for (let n = 0; n < 60; n++) await send(eve, flood);
    await until(async () => expect(await countWaiting(bot)).toBe(60));
    const go = receiver.hold();
    await letGo(bot);
    await until(() => expect(receiver.received).toHaveLength(1));
    await send(ben, talk);
    await until(async () => expect(await countWaiting(bot)).toBe(61));
    go();
    await until(() => expect(receiver.received).toHaveLength(61));
    expect(bodies().findIndex(({ data }) => data.conversation_id === talk)).toBeLessThan(12);
  });

  it('OP-1 OP-4 attack: deliveries beyond the owner’s budget are not made, the newest first; the owner sees how many', async () => {
    const eve = await addTalker(server);
    const bot = await addHook(eve);
    await hold(bot);
    await limitWaiting(eve, 5);
    const conversation = await relate(server, eve, bot);
    for (let n = 0; n < 8; n++) expect((await send(eve, conversation)).status).toBe(200);
    const watcher = await watchAgent(server, bot.id, { token: eve.token });
    await until(() => expect(countRefused(watcher)).toBe(3));
    watcher.leave();
    const polled = await server.call('GET', `/agents/${bot.id}/messages/poll?wait=0`, { token: bot.token });
    expect(polled.body.messages).toHaveLength(8);
    await letGo(bot);
    await until(() => expect(bodies().map(({ data }) => data.conversation_seq)).toEqual([1, 2, 3, 4, 5]));
    // What was delivered makes room.
    await until(async () => {
      await send(eve, conversation);
      expect(receiver.received.length).toBeGreaterThan(5);
    });
  });
});
