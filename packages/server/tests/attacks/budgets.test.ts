import { canonicalise } from '@parley/documents';
import { until } from '@parley/testkit/until';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROW_BYTES } from '../../src/budgets/row-bytes.ts';
import { recountUsage } from '../../src/budgets/stored-bytes.ts';
import { namePayers } from '../../src/conversations/name-payers.ts';
import { forgetDelivered } from '../../src/conversations/retention.ts';
import { pruneIdempotencyKeys } from '../../src/http/idempotency.ts';
import { ADVISORY_LOCKS } from '../../src/storage/advisory-locks.ts';
import { type Person, signUp } from '../harness/accounts.ts';
import { limitBudgets, readUsed } from '../harness/budgets.ts';
import { makeBundle } from '../harness/bundles.ts';
import { befriend } from '../harness/contacts.ts';
import { makeManifest } from '../harness/manifests.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { freshNamespace, makeDescriptor } from '../harness/skills.ts';
import { connect, type Frame, openSocket } from '../harness/socket.ts';
import { addBot, addTalker, relate, seal, type Talker } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const limit = (accountId: string, budgets: Readonly<Record<string, number>>) =>
  limitBudgets(server, accountId, budgets);
const usedBy = (token: string) => readUsed(server, token);
const countRows = async (table: string): Promise<number> =>
  (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(server.platform.db)).rows[0]!
    .count;
const createAgent = (owner: Person, parts: object = {}) =>
  server.call('POST', '/agents', { token: owner.token, body: { name: 'Bot', ...parts } });

describe('OP-1 OP-2 attack: rates', () => {
  it('OP-1 attack: one account with fifty agents that sends through all of them is limited as one', async () => {
    const server = await startTestServer({ budgets: { frames_per_second: 10 } });
    const eve = await addTalker(server);
    const bots = await Promise.all(Array.from({ length: 50 }, () => addBot(server, eve)));
    const sockets = await Promise.all(bots.map((bot) => connect(server, bot)));
    const ids = await Promise.all(bots.map((bot) => relate(server, eve, bot)));
    server.clock.stop();
    // Signing in took some of it.
    server.clock.advance(20_000);
    for (let round = 0; round < 10; round++) {
      for (const [at, socket] of sockets.entries()) {
        socket.send({ type: 'send', envelope: seal(bots[at]!, ids[at]!) });
      }
    }
    const answers = (): Frame[] =>
      sockets.flatMap(({ frames }) => frames.filter(({ type }) => type === 'message.ack' || type === 'error'));
    await until(() => expect(answers()).toHaveLength(500));
    const refused = answers().filter(({ type }) => type === 'error');
    // The burst, and nothing flows in while the clock stands still.
    expect(refused).toHaveLength(400);
    const rows = await server.platform.db.selectFrom('messages').select('id').execute();
    expect(rows).toHaveLength(100);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED', params: { retry_after_seconds: expect.any(Number) } });
      expect(error.client_message_id).toEqual(expect.any(String));
    }
    await server.drop();
  });

  it('OP-1 attack: frames right behind auth count like any others, and so does auth, however often one comes back', async () => {
    const server = await startTestServer();
    const eve = await addTalker(server);
    const bot = await addBot(server, eve);
    const conversation = await relate(server, eve, bot);
    const { db, budgets } = server.platform;
    const row = { account_id: eve.id, budget: 'frames_per_second', value: 1 };
    await db.insertInto('account_budgets').values(row).execute();
    await budgets.reload();
    server.clock.stop();
    server.clock.advance(60_000);
    for (let round = 0; round < 3; round++) {
      const socket = await openSocket(server, `/ws/agent?agent_id=${bot.id}`);
      socket.send({ type: 'auth', token: bot.token });
      for (let n = 0; n < 20; n++) socket.send({ type: 'send', envelope: seal(bot, conversation) });
      await socket.until(
        (frames) => frames.filter(({ type }) => type === 'message.ack' || type === 'error').length === 20,
      );
      await socket.end();
    }
    // The burst of ten, of which the first auth took one.
    expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(9);
    await server.drop();
  });

  it('OP-2 acknowledgements beyond the rate wait, and none is lost', async () => {
    const ann = await addTalker(server);
    const bot = await addBot(server, ann);
    const conversationId = await relate(server, ann, bot);
    const socket = await connect(server, bot);
    for (let count = 0; count < 30; count++) {
      await server.call('POST', `/conversations/${conversationId}/messages`, {
        token: ann.token,
        body: seal(ann, conversationId),
      });
    }
    await limit(ann.id, { frames_per_second: 1 });
    for (let seq = 1; seq <= 30; seq++) socket.send({ type: 'ack', conversation_id: conversationId, seq });
    const cursor = () =>
      server.platform.db.selectFrom('cursors').select('seq').where('consumer_id', '=', bot.id).executeTakeFirst();
    await until(async () => expect(await cursor()).toEqual({ seq: 30 }));
    expect(socket.frames.filter(({ type }) => type === 'error')).toEqual([]);
    await socket.end();
  });

  it.each(['a newer socket takes its place', 'the server stops'])(
    'OP-2 acknowledgements that wait are stored when %s',
    async (end) => {
      const { databaseUrl } = server.config;
      const here = await startTestServer({ databaseUrl, budgets: { frames_per_second: 1, sockets: 1 } });
      here.clock.stop();
      const ann = await addTalker(server);
      const bot = await addBot(server, ann);
      const id = await relate(server, ann, bot);
      const body = seal(ann, id);
      await server.call('POST', `/conversations/${id}/messages`, { token: ann.token, body });
      const socket = await connect(here, bot);
      for (let count = 0; count < 10; count++) socket.send({ type: 'ping' });
      socket.send({ type: 'ack', conversation_id: id, seq: 1 });
      socket.send({ type: 'send', envelope: seal(bot, id) });
      // It came behind the acknowledgement.
      await socket.next('error');
      const cursor = () =>
        server.platform.db.selectFrom('cursors').select('seq').where('consumer_id', '=', bot.id).executeTakeFirst();
      expect(await cursor()).toBeUndefined();
      const isStop = end === 'the server stops';
      await (isStop ? here.drop() : connect(here, bot));
      await until(async () => expect(await cursor()).toEqual({ seq: 1 }));
      if (!isStop) await here.drop();
    },
  );

  it('OP-1 attack: agents do not multiply what an account may ask for over HTTP', async () => {
    const eve = await signUp(server);
    const tokens = await Promise.all(Array.from({ length: 5 }, async () => (await createAgent(eve)).body.token));
    const { databaseUrl } = server.config;
    const here = await startTestServer({ databaseUrl, budgets: { frames_per_second: 1 } });
    here.clock.stop();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        return (await here.call('GET', '/conversations', { token: tokens[at % 5] })).status;
      }),
    );
    // The burst, and nothing flows in while the clock stands still.
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    await here.drop();
  });

  it('OP-1 attack: bytes are counted, also where their number is not announced', async () => {
    const eve = await signUp(server);
    await limit(eve.id, { bytes_per_second: 1_000 });
    const stream = new Blob([JSON.stringify({ name: 'Bot', description: 'x'.repeat(15_000) })]).stream();
    const headers = { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' };
    await fetch(`${server.url}/agents`, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
    const reply = await server.call('GET', '/auth/me', { token: eve.token });
    expect(reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('OP-1 OP-2 attack: what is stored', () => {
  const sendOver = async (who: Talker, conversationId: string) =>
    server.call('POST', `/conversations/${conversationId}/messages`, {
      token: who.token,
      body: seal(who, conversationId),
    });

  it('OP-2 attack: a message beyond the budget is refused and not written; what is collected makes room', async () => {
    const eve = await addTalker(server);
    const bot = await addBot(server, eve);
    const conversationId = await relate(server, eve, bot);
    expect((await sendOver(eve, conversationId)).status).toBe(200);
    const { bytes_stored: used } = await usedBy(eve.token);
    expect(used).toBeGreaterThan(100);
    // There is room for its row, and nothing besides.
    const most = used! + ROW_BYTES.message + 10;
    await limit(eve.id, { bytes_stored: most });
    const before = await countRows('messages');
    const refused = await sendOver(eve, conversationId);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', params: { budget: 'bytes_stored', used, limit: most } } },
    });
    expect(await countRows('messages')).toBe(before);

    // The agent collects it, so it is stored no longer.
    const socket = await connect(server, bot);
    await socket.next('message.new');
    socket.send({ type: 'ack', conversation_id: conversationId, seq: 1 });
    const cursor = () =>
      server.platform.db.selectFrom('cursors').select('seq').where('consumer_id', '=', bot.id).executeTakeFirst();
    await until(async () => expect(await cursor()).toEqual({ seq: 1 }));
    await forgetDelivered(server.platform.db);
    await until(async () => expect((await sendOver(eve, conversationId)).status).toBe(200));
    await socket.end();
  });

  it('OP-1 attack: an agent stores at its owner’s expense, whoever it talks to', async () => {
    const [eve, ann] = [await addTalker(server), await addTalker(server)];
    const bot = await addBot(server, eve);
    const conversationId = await relate(server, ann, bot);
    const [before, hers] = [await usedBy(eve.token), await usedBy(ann.token)];
    const body = seal(bot, conversationId);
    const path = `/conversations/${conversationId}/messages`;
    expect((await server.call('POST', path, { token: bot.token, body })).status).toBe(200);
    expect((await usedBy(eve.token)).bytes_stored).toBeGreaterThan(before.bytes_stored!);
    expect((await usedBy(ann.token)).bytes_stored).toBe(hers.bytes_stored);
  });

  it('OP-1 OP-2 attack: agents without end are refused, also at the same time; deleting one makes room', async () => {
    const eve = await signUp(server);
    await limit(eve.id, { agents: 3 });
    const replies = await Promise.all(Array.from({ length: 8 }, () => createAgent(eve)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    const refused = replies.find(({ status }) => status === 403)!;
    expect(refused.body.error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      params: { budget: 'agents', used: 3, limit: 3 },
    });
    expect((await usedBy(eve.token)).agents).toBe(3);
    const made = replies.find(({ status }) => status === 201)!;
    await server.call('DELETE', `/agents/${made.body.agent_id}`, { token: eve.token });
    expect((await createAgent(eve)).status).toBe(201);
    expect((await createAgent(eve)).status).toBe(403);
  });

  it('OP-1 attack: creating and deleting agents is not free', async () => {
    const eve = await signUp(server);
    const { body } = await createAgent(eve);
    await server.call('DELETE', `/agents/${body.agent_id}`, { token: eve.token });
    expect((await usedBy(eve.token)).bytes_stored).toBeGreaterThan(0);
  });

  it('OP-1 OP-2 bundles and skills beyond the budget are refused, and nothing is written', async () => {
    const eve = await signUp(server);
    const namespace = freshNamespace();
    await server.call('POST', '/skill-namespaces', { token: eve.token, body: { namespace } });
    await limit(eve.id, { bytes_stored: 50 });
    const [bundles, skills] = [await countRows('bundle_versions'), await countRows('skill_versions')];
    const bundle = { manifest: makeBundle('too-much'), kits: {} };
    const replies = [
      await server.call('POST', '/bundles', { token: eve.token, body: bundle }),
      await server.call('POST', '/skills', { token: eve.token, body: makeDescriptor(`${namespace}.s`) }),
    ];
    for (const { status, body } of replies) {
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'QUOTA_EXCEEDED' });
    }
    expect([await countRows('bundle_versions'), await countRows('skill_versions')]).toEqual([bundles, skills]);
  });
});

describe('OP-1 OP-2 attack: rows without end', () => {
  const bytesOf = async ({ token }: { token: string }) => (await usedBy(token)).bytes_stored!;
  const begin = (who: Talker, bots: readonly { id: string }[]) => {
    const members = bots.map(({ id }) => ({ kind: 'agent', id }));
    return server.call('POST', '/conversations', { token: who.token, body: { kind: 'group', members } });
  };
  const add = (who: Talker, group: string, member: { kind: string; id: string; role?: string }) =>
    server.call('POST', `/conversations/${group}/members`, { token: who.token, body: member });
  const addBots = (owner: Talker, count: number) =>
    Promise.all(Array.from({ length: count }, () => addBot(server, owner, { groups: true })));
  const exceeded = (used: number, most: number) => ({
    status: 403,
    body: { error: { code: 'QUOTA_EXCEEDED', params: { budget: 'group_members', used, limit: most } } },
  });

  it('OP-1 attack: messages that everyone has are rows for a month more, and count as long', async () => {
    const eve = await addTalker(server);
    const bot = await addBot(server, eve);
    const conversationId = await relate(server, eve, bot);
    const before = await bytesOf(eve);
    const path = `/conversations/${conversationId}`;
    for (let n = 0; n < 5; n++) {
      await server.call('POST', `${path}/messages`, { token: eve.token, body: seal(eve, conversationId) });
    }
    const full = await bytesOf(eve);
    await server.call('POST', `${path}/acks`, { token: bot.token, body: { seq: 5 } });
    await forgetDelivered(server.platform.db);
    expect(await bytesOf(eve)).toBe(before + 5 * ROW_BYTES.message);
    expect(full).toBeGreaterThan(before + 5 * ROW_BYTES.message);
    await server.platform.db.deleteFrom('messages').where('conversation_id', '=', conversationId).execute();
    expect(await bytesOf(eve)).toBe(before);
  });

  it('OP-1 OP-2 attack: groups and members without end are refused, also at the same time; who leaves makes room', async () => {
    const eve = await addTalker(server);
    const bots = await addBots(eve, 4);
    const before = await bytesOf(eve);
    await limit(eve.id, { group_members: 6 });
    const replies = await Promise.all(Array.from({ length: 4 }, () => begin(eve, bots.slice(0, 3))));
    expect(replies.filter(({ body }) => body.error === undefined)).toHaveLength(1);
    const { conversation_id: group } = replies.find(({ body }) => body.error === undefined)!.body;
    for (const reply of replies) if (reply.body.error !== undefined) expect(reply).toMatchObject(exceeded(4, 6));
    const { rows } = await sql`select from conversations where payer_id = ${eve.id}`.execute(server.platform.db);
    expect(rows).toHaveLength(1);
    expect(await bytesOf(eve)).toBeGreaterThanOrEqual(before + ROW_BYTES.conversation + 4 * ROW_BYTES.member);

    const [first, last] = [bots[0]!, bots[3]!];
    expect((await add(eve, group, { kind: 'agent', id: last.id })).body.error).toBeUndefined();
    await limit(eve.id, { group_members: 5 });
    expect((await usedBy(eve.token)).group_members).toBe(5);
    await server.call('DELETE', `/conversations/${group}/members/${first.id}`, { token: eve.token });
    expect((await usedBy(eve.token)).group_members).toBe(4);
    expect((await add(eve, group, { kind: 'agent', id: first.id })).body.error).toBeUndefined();
    const more = (await addBots(eve, 1))[0]!;
    expect(await add(eve, group, { kind: 'agent', id: more.id })).toMatchObject(exceeded(5, 5));
    expect((await usedBy(eve.token)).group_members).toBe(5);
  });

  it('OP-1 OP-12 conversations of the version before count for whoever began them, once they were named', async () => {
    const eve = await addTalker(server);
    const { conversation_id: group } = (await begin(eve, await addBots(eve, 2))).body;
    const expected = (await usedBy(eve.token)).group_members;
    expect(expected).toBe(3);
    const { db } = server.platform;
    await sql`update conversations set payer_id = null where id = ${group}`.execute(db);
    await recountUsage(db);
    expect((await usedBy(eve.token)).group_members).toBe(0);
    await namePayers(db);
    await recountUsage(db);
    expect((await usedBy(eve.token)).group_members).toBe(expected);
  });

  it('OP-1 attack: a stranger’s groups with someone’s agents cost the stranger; what others have used is not told', async () => {
    const [eve, ann] = [await addTalker(server), await addTalker(server)];
    await befriend(server, eve.id, ann.id);
    const bots = await addBots(ann, 3);
    const hers = await usedBy(ann.token);
    const { conversation_id: group } = (await begin(eve, bots.slice(0, 2))).body;
    expect(await usedBy(ann.token)).toMatchObject({ bytes_stored: hers.bytes_stored, group_members: 0 });
    expect((await usedBy(eve.token)).group_members).toBe(3);
    await add(eve, group, { kind: 'human', id: ann.id, role: 'admin' });
    await limit(eve.id, { group_members: 4 });
    const refused = await add(ann, group, { kind: 'agent', id: bots[2]!.id });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(JSON.stringify(refused.body)).not.toContain('group_members');
  });

  it('OP-1 OP-2 attack: without room nothing begins: no group, no member, no relation; taking scopes back still works', async () => {
    const eve = await addTalker(server);
    const bots = await addBots(eve, 2);
    const { conversation_id: group } = (await begin(eve, bots.slice(0, 1))).body;
    const manifest = makeManifest();
    const agent = (await createAgent(eve as never, { capability_manifest: manifest })).body;
    const scopes = (manifest.permission_scopes as { id: string }[]).map(({ id }) => id);
    const relation = {
      agent_id: agent.agent_id,
      granted_scopes: scopes,
      manifest_hash: agent.capability_manifest_hash,
    };
    const { relation_id } = (await server.call('POST', '/h2a/relations', { token: eve.token, body: relation })).body;
    expect(relation_id).toEqual(expect.any(String));
    await limit(eve.id, { bytes_stored: 0 });
    const full = await usedBy(eve.token);
    const replies = [
      await begin(eve, bots),
      await add(eve, group, { kind: 'agent', id: bots[1]!.id }),
      await server.call('POST', '/h2a/relations', {
        token: eve.token,
        body: { agent_id: bots[0]!.id, granted_scopes: [] },
      }),
    ];
    for (const { status, body } of replies) {
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'QUOTA_EXCEEDED' });
    }
    expect(await usedBy(eve.token)).toMatchObject({ bytes_stored: full.bytes_stored, group_members: 2 });
    const change = (granted_scopes: readonly string[]) =>
      server.call('PATCH', `/h2a/relations/${relation_id}`, {
        token: eve.token,
        body: { granted_scopes, manifest_hash: agent.capability_manifest_hash },
      });
    expect((await change([])).status).toBe(200);
    expect((await change(scopes)).body.error.code).toBe('QUOTA_EXCEEDED');
  });

  it('OP-1 attack: replies that are kept for keys that are always new count for the owner, until they go', async () => {
    const eve = await signUp(server);
    const { body: agent } = await createAgent(eve, { capability_manifest: makeManifest() });
    const before = await bytesOf(eve);
    const rename = (token: string, key: string) =>
      server.call('PATCH', `/agents/${agent.agent_id}`, {
        token,
        body: { description: `now ${key}` },
        headers: { 'idempotency-key': key },
      });
    const replies = [await rename(eve.token, 'one'), await rename(agent.token, 'two')];
    const size = replies.reduce((sum, { body }) => sum + JSON.stringify(body).length + ROW_BYTES.idempotencyKey, 0);
    expect(await bytesOf(eve)).toBe(before + size);
    await rename(eve.token, 'one');
    expect(await bytesOf(eve)).toBe(before + size);
    await pruneIdempotencyKeys(server.platform.db, new Date(Date.now() + 25 * 3_600_000));
    expect(await bytesOf(eve)).toBe(before);
  });

  it('OP-1 attack: what webhooks are told of a message costs its sender, not their owner', async () => {
    const [eve, ann] = [await addTalker(server), await addTalker(server)];
    const hooks = await Promise.all(
      Array.from({ length: 3 }, () => addBot(server, ann, { groups: true, mode: 'webhook' })),
    );
    for (const { id } of hooks) {
      const body = { url: 'http://127.0.0.1:9/nobody' };
      expect((await server.call('PUT', `/agents/${id}/webhook`, { token: ann.token, body })).status).toBe(200);
    }
    const { conversation_id: group } = (await begin(eve, hooks)).body;
    const made = async () => {
      const ids = hooks.map(({ id }) => id);
      const { rows } = await sql`select from webhook_deliveries where agent_id = any(${ids}::uuid[])`.execute(
        server.platform.db,
      );
      expect(rows).toHaveLength(3);
    };
    const [before, hers] = [await bytesOf(eve), await bytesOf(ann)];
    const envelope = seal(eve, group);
    await server.call('POST', `/conversations/${group}/messages`, { token: eve.token, body: envelope });
    await until(made);
    const message = ROW_BYTES.message + canonicalise(envelope as never).length;
    expect(await bytesOf(eve)).toBeGreaterThan(before + message + 3 * 600 + 300);
    expect(await bytesOf(ann)).toBe(hers);
  });
});

describe('OP-1 requests that wait', () => {
  it('OP-1 attack: a request that waits for its turn is not carried out once its client has gone', async () => {
    const eve = await signUp(server);
    await limit(eve.id, { connections: 1 });
    const { db, budgets } = server.platform;
    const concurrent = vi.spyOn(budgets, 'concurrent');
    const client = new AbortController();
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.ownAgents}, hashtext(${eve.id}))`.execute(trx);
      const first = createAgent(eve, { name: 'First' });
      const own = () => concurrent.mock.calls.flatMap(([id], index) => (id === eve.id ? [index] : []));
      await until(() => expect(own()).toHaveLength(1));
      const headers = { authorization: `Bearer ${eve.token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'Gone' });
      const gone = fetch(`${server.url}/agents`, { method: 'POST', headers, body, signal: client.signal });
      await until(() => expect(own()).toHaveLength(2));
      client.abort();
      await expect(gone).rejects.toThrow();
      await expect(concurrent.mock.results[own()[1]!]!.value).rejects.toMatchObject({ code: 'RATE_LIMITED' });
      waiting = first;
    });
    expect((await waiting)?.status).toBe(201);
    concurrent.mockRestore();
    const agents = await db.selectFrom('agents').select('name').where('owner_id', '=', eve.id).execute();
    expect(agents).toEqual([{ name: 'First' }]);
  });
  let waiting: ReturnType<typeof createAgent> | undefined;
});

describe('OP-1 versions of manifests', () => {
  const push = (token: string, id: string, at: number) =>
    server.call('PATCH', `/agents/${id}`, { token, body: makeManifest({ agent_version: `1.0.${at}` }) });
  const versionsOf = async (id: string) => {
    const rows = await server.platform.db
      .selectFrom('agent_manifests')
      .select('version')
      .where('agent_id', '=', id)
      .orderBy('version')
      .execute();
    return rows.map(({ version }) => version);
  };

  it('OP-1 the oldest go, but never one that someone agreed to', async () => {
    const [eve, ann] = [await signUp(server), await signUp(server)];
    const { body } = await createAgent(eve, { capability_manifest: makeManifest() });
    const id = body.agent_id;
    await push(eve.token, id, 1);
    const relation = { agent_id: id, granted_scopes: [] };
    expect((await server.call('POST', '/h2a/relations', { token: ann.token, body: relation })).status).toBe(201);
    await push(eve.token, id, 2);
    await limit(eve.id, { manifest_versions: 3 });
    for (let at = 3; at < 7; at++) expect((await push(eve.token, id, at)).status).toBe(200);
    expect(await versionsOf(id)).toEqual([2, 6, 7]);
    expect((await usedBy(eve.token)).manifest_versions).toBe(3);
  });

  it('OP-2 a push is refused where every version is needed, and changes nothing', async () => {
    const eve = await signUp(server);
    const { body } = await createAgent(eve, { capability_manifest: makeManifest() });
    for (let at = 1; at < 3; at++) {
      const ann = await signUp(server);
      const relation = { agent_id: body.agent_id, granted_scopes: [] };
      expect((await server.call('POST', '/h2a/relations', { token: ann.token, body: relation })).status).toBe(201);
      await push(eve.token, body.agent_id, at);
    }
    await limit(eve.id, { manifest_versions: 3 });
    const refused = await push(eve.token, body.agent_id, 9);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'QUOTA_EXCEEDED', params: { budget: 'manifest_versions', used: 3, limit: 3 } } },
    });
    expect(await versionsOf(body.agent_id)).toEqual([1, 2, 3]);
    const agent = await server.call('GET', `/agents/${body.agent_id}`, { token: eve.token });
    expect(agent.body.capability_manifest_version).toBe(3);
  });
});

describe('OP-1 the count', () => {
  it('OP-1 is the same when everything is counted anew, after whatever was written and deleted', async () => {
    const { db } = server.platform;
    const read = async () => {
      await sql`select fold_usage()`.execute(db);
      const rows = await db.selectFrom('account_usage').selectAll().orderBy('account_id').execute();
      return rows.filter(({ bytes, versions }) => bytes !== 0 || versions !== 0);
    };
    await sql`delete from messages where seq = 1`.execute(db);
    const counted = await read();
    expect(counted.length).toBeGreaterThan(5);
    await db.updateTable('account_usage').set({ bytes: 7 }).execute();
    await recountUsage(db);
    expect(await read()).toEqual(counted);
  });
});
