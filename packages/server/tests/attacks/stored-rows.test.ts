import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDeletedAgents } from '../../src/agents/lifecycle.ts';
import { pruneTokens } from '../../src/agents/tokens.ts';
import { ROW_BYTES } from '../../src/budgets/row-bytes.ts';
import { PASSWORD, type Person, signUp } from '../harness/accounts.ts';
import { limitBudgets, readUsed } from '../harness/budgets.ts';
import { befriend } from '../harness/contacts.ts';
import { makeManifest, READ_FILE } from '../harness/manifests.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { freshNamespace, makeDescriptor } from '../harness/skills.ts';
import { addBot, addTalker } from '../harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const bytesOf = async ({ token }: { readonly token: string }) => (await readUsed(server, token)).bytes_stored!;

/** What the rows of a query hold. */
async function sumOf(query: ReturnType<typeof sql>): Promise<{ rows: number; bytes: number }> {
  const { rows } = await sql<{ rows: number; bytes: number }>`
    select count(*)::int as rows, coalesce(sum(octet_length(row_to_json(q)::text)), 0)::int as bytes
    from (${query}) as q`.execute(server.platform.db);
  return rows[0]!;
}

describe('OP-1 OP-2 attack: events that carry all grants', () => {
  const makeScopes = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `d${at}x${randomBytes(50).toString('hex')}:read`,
      label_i18n_key: 'k',
      label_fallback: { en: 'x', 'zh-CN': 'x' },
      sensitivity: 'low',
    }));
  const befriendBot = async (eve: Person) => {
    const scopes = makeScopes(60);
    const manifest = makeManifest({ tools: [], permission_scopes: scopes });
    const body = { name: 'Bot', capability_manifest: manifest };
    const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body });
    const ids = scopes.map(({ id }) => id);
    const hash = agent.capability_manifest_hash;
    const relation = { agent_id: agent.agent_id, granted_scopes: ids, manifest_hash: hash };
    const made = await server.call('POST', '/h2a/relations', { token: eve.token, body: relation });
    expect(made.status).toBe(201);
    const change = (granted_scopes: readonly string[]) =>
      server.call('PATCH', `/h2a/relations/${made.body.relation_id}`, {
        token: eve.token,
        body: { granted_scopes, manifest_hash: hash },
      });
    const events = () =>
      sumOf(sql`select payload from events where recipient_id in (${eve.id}::uuid, ${agent.agent_id}::uuid)`);
    return { agent, ids, change, events };
  };

  it('OP-1 OP-2 attack: granting what is granted already, again and again, writes nothing', async () => {
    const eve = await signUp(server);
    const { ids, change, events } = await befriendBot(eve);
    const [before, used] = [await events(), await bytesOf(eve)];
    for (let n = 0; n < 5; n++) {
      const reply = await change(n % 2 === 0 ? ids : [...ids].reverse());
      expect(reply.status).toBe(200);
      expect(reply.body.granted_scopes).toHaveLength(ids.length);
    }
    expect(await events()).toEqual(before);
    expect(await bytesOf(eve)).toBe(used);
  });

  it('OP-1 OP-2 attack: giving and taking a scope, again and again, counts all that it stores, and ends without room', async () => {
    const eve = await signUp(server);
    const { ids, change, events } = await befriendBot(eve);
    const [before, used] = [await events(), await bytesOf(eve)];
    for (let n = 0; n < 4; n++) expect((await change(n % 2 === 0 ? ids.slice(1) : ids)).status).toBe(200);
    const grown = (await events()).bytes - before.bytes;
    expect(grown).toBeGreaterThan(4 * 2 * 60 * 100);
    expect((await bytesOf(eve)) - used).toBeGreaterThanOrEqual(grown);
    await limitBudgets(server, eve.id, { bytes_stored: (await bytesOf(eve)) + 5_000 });
    expect((await change(ids.slice(1))).status).toBe(200);
    const full = await events();
    expect(await change(ids)).toMatchObject({ status: 403, body: { error: { code: 'QUOTA_EXCEEDED' } } });
    expect(await events()).toEqual(full);
  });

  it('OP-1 what everyone who added an agent is told counts for its owner, until it goes', async () => {
    const [eve, ann] = [await signUp(server), await signUp(server)];
    const body = { name: 'Bot', capability_manifest: makeManifest() };
    const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body });
    const relation = { agent_id: agent.agent_id, granted_scopes: [] };
    expect((await server.call('POST', '/h2a/relations', { token: ann.token, body: relation })).status).toBe(201);
    const [mine, hers] = [await bytesOf(eve), await bytesOf(ann)];
    for (const action of ['suspend', 'resume']) {
      const reply = await server.call('POST', `/agents/${agent.agent_id}/${action}`, { token: eve.token });
      expect(reply.status).toBe(200);
    }
    // For each of the two: the person, and the agent.
    expect((await bytesOf(eve)) - mine).toBeGreaterThan(4 * ROW_BYTES.event);
    expect(await bytesOf(ann)).toBe(hers);
    const { db } = server.platform;
    await sql`delete from events where recipient_id in (${ann.id}::uuid, ${agent.agent_id}::uuid)
      and type in ('relation.suspended', 'relation.restored')`.execute(db);
    expect(await bytesOf(eve)).toBe(mine);
  });
});

describe('OP-1 attack: what stays of an agent that is deleted', () => {
  const pad = () => randomBytes(20_000).toString('base64url');
  const large = () => ({ ...READ_FILE, input_schema: { ...READ_FILE.input_schema, description: pad() } });

  it('OP-1 attack: an agent that is deleted keeps no manifest, prekey or webhook that nobody pays for', async () => {
    const eve = await signUp(server);
    const { db } = server.platform;
    for (let n = 0; n < 3; n++) {
      const body = {
        name: 'Bot',
        description: 'x'.repeat(500),
        capability_manifest: makeManifest({ tools: [large()] }),
      };
      const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body });
      const id = agent.agent_id;
      const webhook = { url: 'http://127.0.0.1:9/nobody' };
      expect((await server.call('PUT', `/agents/${id}/webhook`, { token: eve.token, body: webhook })).status).toBe(200);
      await sql`insert into one_time_prekeys (owner_kind, owner_id, key_id, public_key)
        select 'agent', ${id}::uuid, n, repeat('k', 43) from generate_series(1, 100) n`.execute(db);
      await sql`insert into signed_prekeys (owner_kind, owner_id, key_id, public_key, signature)
        values ('agent', ${id}::uuid, 1, 'k', 's')`.execute(db);
      expect((await server.call('DELETE', `/agents/${id}`, { token: eve.token })).status).toBe(204);
    }
    const agents = await sumOf(sql`select * from agents where owner_id = ${eve.id}`);
    expect(agents.rows).toBe(3);
    expect(agents.bytes).toBeLessThan(3 * ROW_BYTES.agent);
    const own = sql`select id from agents where owner_id = ${eve.id}`;
    for (const table of ['one_time_prekeys', 'signed_prekeys']) {
      expect(await sumOf(sql`select * from ${sql.table(table)} where owner_id in (${own})`)).toMatchObject({ rows: 0 });
    }
    expect(await sumOf(sql`select * from webhooks where agent_id in (${own})`)).toMatchObject({ rows: 0 });
    expect(await bytesOf(eve)).toBeGreaterThanOrEqual(agents.bytes);
    const { rows } = await sql`select from agents where owner_id = ${eve.id}
      and capability_manifest_hash is not null and capability_manifest_version = 1`.execute(db);
    expect(rows).toHaveLength(3);
  });

  it('OP-1 nor does the account that is deleted with all its agents', async () => {
    const eve = await signUp(server);
    const body = { name: 'Bot', capability_manifest: makeManifest({ tools: [large()] }) };
    expect((await server.call('POST', '/agents', { token: eve.token, body })).status).toBe(201);
    const gone = { account_password: PASSWORD };
    expect((await server.call('DELETE', '/auth/account', { token: eve.token, body: gone })).status).toBe(204);
    const left = await sumOf(sql`select * from agents where owner_id = ${eve.id}`);
    expect(left).toMatchObject({ rows: 1 });
    expect(left.bytes).toBeLessThan(ROW_BYTES.agent);
  });

  it('OP-1 OP-12 agents that the version before deleted are emptied by a task', async () => {
    const eve = await signUp(server);
    const { db } = server.platform;
    const body = { name: 'Bot', capability_manifest: makeManifest({ tools: [large()] }) };
    const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body });
    await sql`update agents set status = 'deleted' where id = ${agent.agent_id}`.execute(db);
    await emptyDeletedAgents(db);
    const left = await sumOf(sql`select * from agents where owner_id = ${eve.id}`);
    expect(left.bytes).toBeLessThan(ROW_BYTES.agent);
  });
});

describe('OP-1 OP-2 without room', () => {
  const addAgent = async (owner: Person) => {
    const body = { name: 'Bot', capability_manifest: makeManifest() };
    return (await server.call('POST', '/agents', { token: owner.token, body })).body.agent_id as string;
  };
  const relateTo = async (person: Person, agent_id: string) => {
    const body = { agent_id, granted_scopes: [] };
    expect((await server.call('POST', '/h2a/relations', { token: person.token, body })).status).toBe(201);
  };

  it('OP-2 attack: an agent cannot be resumed, nor its manifest pushed, but it can be suspended', async () => {
    const [eve, ann] = [await signUp(server), await signUp(server)];
    const id = await addAgent(eve);
    await relateTo(ann, id);
    const path = `/agents/${id}`;
    await limitBudgets(server, eve.id, { bytes_stored: 0 });
    const ask = (method: string, at: string, body?: object) =>
      server.call(method, at, { token: eve.token, ...(body === undefined ? {} : { body }) });
    expect((await ask('POST', `${path}/suspend`)).status).toBe(200);
    const refused = { status: 403, body: { error: { code: 'QUOTA_EXCEEDED' } } };
    expect(await ask('POST', `${path}/resume`)).toMatchObject(refused);
    expect(await ask('PATCH', path, makeManifest({ agent_version: '2.0.0' }))).toMatchObject(refused);
    expect((await ask('DELETE', path)).status).toBe(204);
  });
});

describe('OP-1 OP-2 attack: what was written without asking for room', () => {
  const refused = { status: 403, body: { error: { code: 'QUOTA_EXCEEDED' } } };
  const fill = (id: string) => limitBudgets(server, id, { bytes_stored: 0 });
  const ask = (who: { token: string }, method: string, path: string, body?: object) =>
    server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });

  it('OP-1 OP-2 attack: tokens, entitlements, and deliveries that one asks for', async () => {
    const eve = await signUp(server);
    const namespace = freshNamespace();
    await ask(eve, 'POST', '/skill-namespaces', { namespace });
    expect((await ask(eve, 'POST', '/skills', makeDescriptor(`${namespace}.s`))).status).toBe(201);
    const { body: agent } = await ask(eve, 'POST', '/agents', { name: 'Bot' });
    const path = `/agents/${agent.agent_id}`;
    expect((await ask(eve, 'PUT', `${path}/webhook`, { url: 'http://127.0.0.1:9/nobody' })).status).toBe(200);
    const entitle = () => ask(eve, 'PUT', `/skills/${namespace}.s/entitlements/${randomUUID()}`);
    const rotate = () => ask(eve, 'POST', `${path}/tokens`, {});
    const test = () => ask(eve, 'POST', `${path}/webhook/test`);
    const used = await bytesOf(eve);
    expect((await entitle()).status).toBe(204);
    const rotated = await rotate();
    expect(rotated.status).toBe(201);
    expect((await test()).status).toBe(202);
    expect(await bytesOf(eve)).toBe(used + ROW_BYTES.entitlement + ROW_BYTES.token + ROW_BYTES.delivery);
    await fill(eve.id);
    for (const reply of [await entitle(), await rotate(), await test()]) expect(reply).toMatchObject(refused);
    expect((await ask(eve, 'DELETE', `${path}/tokens/${rotated.body.token_id}`)).status).toBe(204);
  });

  it('OP-1 tokens of agents go a month after their end', async () => {
    const eve = await signUp(server);
    const { body: agent } = await ask(eve, 'POST', '/agents', { name: 'Bot' });
    const used = await bytesOf(eve);
    await ask(eve, 'POST', `/agents/${agent.agent_id}/tokens`, { overlap_seconds: 0 });
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    await pruneTokens(server.platform.db, days(-1));
    expect(await bytesOf(eve)).toBe(used + ROW_BYTES.token);
    await pruneTokens(server.platform.db, days(1));
    expect(await bytesOf(eve)).toBe(used);
  });

  it('OP-1 OP-2 attack: deliveries are not tried or sent again beyond those that may wait', async () => {
    const eve = await signUp(server);
    const { body: agent } = await ask(eve, 'POST', '/agents', { name: 'Bot' });
    const path = `/agents/${agent.agent_id}/webhook`;
    expect((await ask(eve, 'PUT', path, { url: 'http://127.0.0.1:9/nobody' })).status).toBe(200);
    const { body: first } = await ask(eve, 'POST', `${path}/test`);
    await limitBudgets(server, eve.id, { waiting_deliveries: 0 });
    const exceeded = { status: 403, body: { error: { params: { budget: 'waiting_deliveries', limit: 0 } } } };
    expect(await ask(eve, 'POST', `${path}/test`)).toMatchObject(exceeded);
    expect(await ask(eve, 'POST', `${path}/deliveries/${first.delivery_id}/redeliver`)).toMatchObject(exceeded);
  });

  it('OP-1 deliveries that are not made yet are shown as waiting, like those that are', async () => {
    const eve = await signUp(server);
    await sql`insert into webhook_events (account_id, event_type, payload, agent_ids, deliveries, created_at)
      values (${eve.id}, 'message.new', '{}', array[]::uuid[], 7, now())`.execute(server.platform.db);
    expect((await readUsed(server, eve.token)).waiting_deliveries).toBe(7);
  });

  it('OP-1 OP-2 attack: a manager of a full group adds nobody at the expense of whoever began it; leaving needs no room', async () => {
    const [eve, ann] = [await addTalker(server), await addTalker(server)];
    await befriend(server, eve.id, ann.id);
    const bots = await Promise.all([eve, eve, eve].map((owner) => addBot(server, owner, { groups: true })));
    const members = [
      { kind: 'human', id: ann.id },
      { kind: 'agent', id: bots[0]!.id },
    ];
    const { conversation_id: id } = (await ask(eve, 'POST', '/conversations', { kind: 'group', members })).body;
    const path = `/conversations/${id}/members`;
    const admin = { kind: 'human', id: ann.id, role: 'admin' };
    expect((await ask(eve, 'POST', path, admin)).body.error).toBeUndefined();
    const [theirs, hers] = [await bytesOf(eve), await bytesOf(ann)];
    const add = (who: { token: string }, bot: { id: string }) => ask(who, 'POST', path, { kind: 'agent', id: bot.id });
    expect((await add(ann, bots[1]!)).body.error).toBeUndefined();
    expect(await bytesOf(ann)).toBe(hers);
    expect(await bytesOf(eve)).toBeGreaterThan(theirs);
    await fill(eve.id);
    const reply = await add(ann, bots[2]!);
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(JSON.stringify(reply.body)).not.toContain('bytes_stored');
    expect(await add(eve, bots[2]!)).toMatchObject(refused);
    expect((await ask(ann, 'DELETE', `${path}/${bots[0]!.id}`)).body?.error).toBeUndefined();
    expect((await ask(ann, 'DELETE', `${path}/${ann.id}`)).body?.error).toBeUndefined();
  });
});

describe('OP-1 OP-2 an account that is full of versions', () => {
  const push = (who: Person, id: string, at: number) => {
    const tool = { ...READ_FILE, input_schema: { ...READ_FILE.input_schema, description: 'x'.repeat(20_000) } };
    const body = makeManifest({ agent_version: `1.0.${at}`, tools: [tool] });
    return server.call('PATCH', `/agents/${id}`, { token: who.token, body });
  };
  const versionsOf = async (id: string) =>
    (
      await sql<{ version: number }>`select version from agent_manifests where agent_id = ${id}
        order by version`.execute(server.platform.db)
    ).rows.map(({ version }) => version);

  it('OP-2 without bytes, the oldest versions go that nobody agreed to, and the push succeeds', async () => {
    const [eve, ann] = [await signUp(server), await signUp(server)];
    const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body: { name: 'Bot' } });
    const id = agent.agent_id;
    expect((await push(eve, id, 1)).status).toBe(200);
    const relation = { agent_id: id, granted_scopes: [] };
    expect((await server.call('POST', '/h2a/relations', { token: ann.token, body: relation })).status).toBe(201);
    for (let at = 2; at < 6; at++) expect((await push(eve, id, at)).status).toBe(200);
    await limitBudgets(server, eve.id, { bytes_stored: (await bytesOf(eve)) + 10_000 });
    for (let at = 6; at < 10; at++) expect((await push(eve, id, at)).status).toBe(200);
    const versions = await versionsOf(id);
    expect(versions[0]).toBe(1);
    expect(versions.at(-1)).toBe(9);
    expect(versions).not.toContain(2);
  });

  it('OP-2 a push that does not fit even so is refused, and drops nothing', async () => {
    const eve = await signUp(server);
    const { body: agent } = await server.call('POST', '/agents', { token: eve.token, body: { name: 'Bot' } });
    for (let at = 1; at < 4; at++) await push(eve, agent.agent_id, at);
    await limitBudgets(server, eve.id, { bytes_stored: 1_000 });
    const reply = await push(eve, agent.agent_id, 4);
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'QUOTA_EXCEEDED' } } });
    expect(await versionsOf(agent.agent_id)).toEqual([1, 2, 3]);
  });
});
