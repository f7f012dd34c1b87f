import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExports, exportAccount, SECTIONS } from '../src/accounts/export-account.ts';
import { signUp } from './harness/accounts.ts';
import { makeBundle } from './harness/bundles.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, relate, seal } from './harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes back
type Export = Record<string, any[]>;

/** A handle that notes how many rows each query returned. */
function watchRows() {
  const counts: number[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      counts.push(result.rows.length);
      return result;
    },
  };
  return { db: server.platform.db.withPlugin(plugin), counts };
}
const largest = Math.max(...Object.values(SECTIONS).map(({ page }) => page));

async function addAgents(ownerId: string, count: number): Promise<void> {
  await sql`
    insert into agents (id, owner_id, name, capability_manifest)
    select gen_random_uuid(), ${ownerId}, 'Bot ' || n, jsonb_build_object('text', repeat('x', 1000))
    from generate_series(1, ${count}) as n`.execute(server.platform.db);
}

describe('OP-6 exporting an account', () => {
  it('OP-6 attack: with thousands of agents, only a page of them is ever in memory', async () => {
    const eve = await addTalker(server);
    await addAgents(eve.id, 7_200);
    const { db, counts } = watchRows();
    const whole = (await json(await exportAccount(db, eve.id))) as Export;
    expect(whole.agents).toHaveLength(7_200);
    expect(new Set(whole.agents!.map(({ id }) => id)).size).toBe(7_200);
    expect(Math.max(...counts)).toBeLessThanOrEqual(largest);
    expect(SECTIONS.agents!.page * 256 * 1024).toBeLessThan(8 * 1024 * 1024);
  });

  it('OP-6 attack: who stops reading makes the server read no further', async () => {
    const eve = await addTalker(server);
    await addAgents(eve.id, 2_000);
    const { db, counts } = watchRows();
    const stream = await exportAccount(db, eve.id);
    for await (const chunk of stream) if (String(chunk).includes('Bot')) break;
    expect(stream.destroyed).toBe(true);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(500);
  });

  it('OP-6 attack: an account has one export at a time, and the next when it has ended or was given up', async () => {
    const [eve, ann] = [await addTalker(server), await addTalker(server)];
    const start = createExports(server.platform.db);
    const first = await start(eve.id);
    await expect(start(eve.id)).rejects.toMatchObject({ code: 'RATE_LIMITED', limit: 'exports' });
    expect(await json(await start(ann.id))).toMatchObject({ account: { id: ann.id } });
    first.destroy();
    await once(first, 'close');
    expect(await json(await start(eve.id))).toMatchObject({ account: { id: eve.id } });
    await expect(start(crypto.randomUUID())).rejects.toThrow();
  });

  it('OP-6 attack: bundles with many versions are published and exported a few at a time', async () => {
    const eve = await signUp(server);
    const publish = (version: string) =>
      server.call('POST', '/bundles', {
        token: eve.token,
        body: { manifest: { ...makeBundle('many'), version }, kits: {} },
      });
    expect((await publish('1.0.0')).status).toBe(201);
    await sql`
      insert into bundle_versions (bundle_id, version, manifest, kits, digest, yanked, created_at)
      select bundle_id, '0.1.' || n, manifest, kits, digest, yanked, created_at
      from bundle_versions, generate_series(1, 900) as n where bundle_id = 'many'`.execute(server.platform.db);
    const { db, counts } = watchRows();
    const whole = (await json(await exportAccount(db, eve.id))) as Export;
    expect(new Set(whole.bundles!.map(({ version }) => version)).size).toBe(901);
    expect(Math.max(...counts)).toBeLessThanOrEqual(largest);
    expect((await publish('1.1.0')).body).toMatchObject({ version: '1.1.0', changes: expect.any(Array) });
  });

  it('OP-6 every section goes on where its page ends', async () => {
    const ann = await addTalker(server);
    const bot = await addBot(server, ann);
    const conversationId = await relate(server, ann, bot);
    for (let count = 0; count < 3; count++) {
      const body = seal(ann, conversationId);
      await server.call('POST', `/conversations/${conversationId}/messages`, { token: ann.token, body });
    }
    await sql`insert into events (recipient_kind, recipient_id, type, payload)
      select 'human', ${ann.id}, 'test.event', '{}' from generate_series(1, ${2 * largest + 3})`.execute(
      server.platform.db,
    );
    const reply = await server.call('GET', '/auth/account/export', { token: ann.token });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(reply.body)).toEqual(['account', ...Object.keys(SECTIONS)]);
    expect(reply.body.events).toHaveLength(2 * largest + 3);
    expect(reply.body.messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3]);
    expect(reply.body).toMatchObject({
      account: { id: ann.id },
      agents: [{ id: bot.id }],
      relations: [{ agent_id: bot.id }],
    });
  });

  it('OP-6 attack: events and ledgers with all grants are read a few at a time, each once and in order', async () => {
    const eve = await addTalker(server);
    const bots = [await addBot(server, eve), await addBot(server, eve), await addBot(server, eve)];
    const { db } = server.platform;
    await sql`insert into events (recipient_kind, recipient_id, type, payload)
      select 'human', ${eve.id}, 'test.event', jsonb_build_object('n', n, 'scopes', repeat('x', 90000))
      from generate_series(1, 120) n`.execute(db);
    for (const bot of bots) {
      const id = await relate(server, eve, bot);
      await sql`insert into conversation_events (conversation_id, type, payload)
        select ${id}, 'test.shared', jsonb_build_object('id', ${id}::text, 'n', n) from generate_series(1, 45) n`.execute(
        db,
      );
      await sql`insert into ledger_entries (relation_id, seq, hash, entry)
        select id, n, '', jsonb_build_object('n', n, 'scopes', repeat('x', 90000))
        from h2a_relations, generate_series(1, 20) n where conversation_id = ${id}`.execute(db);
    }
    const bytes: number[] = [];
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        bytes.push(JSON.stringify(result.rows).length);
        return result;
      },
    };
    const whole = (await json(await exportAccount(db.withPlugin(plugin), eve.id))) as Export;
    expect(Math.max(...bytes)).toBeLessThan(4 * 1024 * 1024);
    const own = whole.events!.filter(({ type }) => type === 'test.event').map(({ payload }) => payload.n);
    expect(own).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    const shared = whole.events!.filter(({ type }) => type === 'test.shared').map(({ payload }) => payload);
    expect(shared).toHaveLength(3 * 45);
    expect(new Set(shared.map(({ id, n }) => `${id} ${n}`)).size).toBe(3 * 45);
    expect(whole.ledger_entries).toHaveLength(60);
  });
});
