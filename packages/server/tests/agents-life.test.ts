import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { canonicalise } from '@parley/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeManifest } from './harness/manifests.ts';
import { type Agent, createAgent, type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = await signUp(server);
});
afterAll(() => server.drop());

const works = async (agent: Agent, token = agent.token) =>
  (await server.call('GET', `/agents/${agent.id}`, { token })).status;
const asOwner = (method: string, path: string, body?: object) =>
  server.call(method, path, { token: owner.token, ...(body ? { body } : {}) });

async function addTo(agent: Agent, scopes: string[] = []): Promise<{ person: Person; relationId: string }> {
  const person = await signUp(server);
  const { status, body } = await server.call('POST', '/h2a/relations', {
    token: person.token,
    body: { agent_id: agent.id, granted_scopes: scopes },
  });
  expect(status).toBe(201);
  return { person, relationId: body.relation_id };
}

async function eventsOf(person: Person): Promise<string[]> {
  const { rows } = await server.platform.storage.pool.query(
    `select type from events where recipient_kind = 'human' and recipient_id = $1 order by id`,
    [person.userId],
  );
  return rows.map((row) => row.type);
}

describe('RL-1 tokens of an agent', () => {
  it('RL-1 rotation keeps the old token for the overlap, then not', async () => {
    const agent = await createAgent(server, owner);
    const rotated = await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 60 });
    expect(rotated.status).toBe(201);
    expect(rotated.body.token).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
    expect([await works(agent), await works(agent, rotated.body.token)]).toEqual([200, 200]);
    server.clock.advance(61_000);
    expect([await works(agent), await works(agent, rotated.body.token)]).toEqual([401, 200]);
  });

  it('RL-1 rotation without overlap ends the old tokens at once; the default is an hour', async () => {
    const agent = await createAgent(server, owner);
    const second = await asOwner('POST', `/agents/${agent.id}/tokens`);
    const listed = await asOwner('GET', `/agents/${agent.id}/tokens`);
    const ends = listed.body.tokens.map((token: { expires_at: string | null }) => token.expires_at);
    expect(ends[0]).toBeNull();
    expect(Date.parse(ends[1]) - Date.parse(second.body.created_at)).toBe(3_600_000);
    await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 0 });
    expect([await works(agent), await works(agent, second.body.token)]).toEqual([401, 401]);
    expect((await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 86_401 })).status).toBe(400);
  });

  it('RL-1 a shorter end is not made longer by the next rotation', async () => {
    const agent = await createAgent(server, owner);
    await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 10 });
    await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 600 });
    server.clock.advance(11_000);
    expect(await works(agent)).toBe(401);
  });

  it('RL-1 a revoked token is refused at once, and its sockets are woken', async () => {
    const agent = await createAgent(server, owner);
    const { body } = await asOwner('GET', `/agents/${agent.id}/tokens`);
    expect(Object.keys(body.tokens[0])).toEqual(['token_id', 'created_at', 'expires_at']);
    let woken = 0;
    const stop = server.platform.bus.listen(`a:${agent.id}`, () => woken++);
    const path = `/agents/${agent.id}/tokens/${body.tokens[0].token_id}`;
    expect((await asOwner('DELETE', path)).status).toBe(204);
    expect(woken).toBeGreaterThan(0);
    stop();
    expect(await works(agent)).toBe(401);
    expect((await asOwner('DELETE', path)).status).toBe(404);
  });

  it('RL-1 an agent cannot make or see tokens: a stolen one must not outlive its revocation', async () => {
    const agent = await createAgent(server, owner);
    const { status } = await server.call('POST', `/agents/${agent.id}/tokens`, { token: agent.token, body: {} });
    expect(status).toBe(403);
    expect((await server.call('GET', `/agents/${agent.id}/tokens`, { token: agent.token })).status).toBe(403);
  });
});

describe('RL-11 the life of an agent', () => {
  it('RL-11 suspending tells everyone, stops the agent, and resuming restores both', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const { person, relationId } = await addTo(agent, ['filesystem:read']);
    const suspend = await asOwner('POST', `/agents/${agent.id}/suspend`);
    expect(suspend).toMatchObject({ status: 200, body: { agent_id: agent.id, status: 'suspended' } });
    const refused = await server.call('GET', `/agents/${agent.id}`, { token: agent.token });
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'AGENT_SUSPENDED' } } });
    await asOwner('POST', `/agents/${agent.id}/suspend`);
    const relation = await server.call('GET', `/h2a/relations/${relationId}`, { token: person.token });
    expect(relation.body.status).toBe('suspended');
    await asOwner('POST', `/agents/${agent.id}/resume`);
    expect(await works(agent)).toBe(200);
    expect(await eventsOf(person)).toEqual(['relation.established', 'relation.suspended', 'relation.restored']);
  });

  it('RL-11 deleting ends tokens and relations; the agent is gone for all', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const { person } = await addTo(agent);
    expect((await asOwner('DELETE', `/agents/${agent.id}`)).status).toBe(204);
    expect(await works(agent)).toBe(401);
    for (const path of ['', '/manifests', '/manifests/1', '/diff', '/tokens']) {
      expect((await asOwner('GET', `/agents/${agent.id}${path}`)).status).toBe(404);
    }
    expect((await asOwner('DELETE', `/agents/${agent.id}`)).status).toBe(404);
    expect(await eventsOf(person)).toEqual(['relation.established', 'relation.revoked']);
  });

  it('RL-2 a banned agent cannot speak, change or be resumed by its owner; to strangers it is gone', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    await server.platform.db.updateTable('agents').set({ status: 'banned' }).where('id', '=', agent.id).execute();
    expect(await works(agent)).toBe(401);
    expect((await server.call('GET', `/agents/${agent.id}`)).status).toBe(404);
    expect((await asOwner('GET', `/agents/${agent.id}`)).body.status).toBe('banned');
    expect((await asOwner('PATCH', `/agents/${agent.id}`, makeManifest())).status).toBe(403);
    expect((await asOwner('POST', `/agents/${agent.id}/resume`)).status).toBe(403);
    expect((await asOwner('POST', `/agents/${agent.id}/suspend`)).status).toBe(403);
  });
});

describe('RL-5 agents of a banned account', () => {
  it('RL-5 are found by nobody and cannot speak', async () => {
    const banned = await signUp(server);
    const agent = await createAgent(server, banned, { name: 'Quokka' });
    const found = async () => (await server.call('GET', '/agents?q=quokka')).body.agents.length;
    expect([await found(), await works(agent)]).toEqual([1, 200]);
    await server.platform.db
      .updateTable('accounts')
      .set({ status: 'banned' })
      .where('id', '=', banned.userId)
      .execute();
    expect([await found(), await works(agent)]).toEqual([0, 401]);
    expect((await server.call('GET', `/agents/${agent.id}`)).status).toBe(404);
  });
});

describe('RL-8 a PATCH reaches the people of the agent', () => {
  it('RL-8 breaking asks for re-authorisation, anything else is silent, a refused PATCH says nothing', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const { person } = await addTo(agent, ['filesystem:read']);
    const patch = (body: object) => asOwner('PATCH', `/agents/${agent.id}`, body);
    await patch(makeManifest({ agent_version: 'nonsense' }));
    await patch(makeManifest({ agent_version: '1.0.1' }));
    expect(await eventsOf(person)).toEqual(['relation.established', 'h2a.manifest_updated']);
    const scope = { id: 'network:http', label_i18n_key: 'k', label_fallback: 'Web', sensitivity: 'high' };
    const files = makeManifest().permission_scopes;
    const { body } = await patch(makeManifest({ permission_scopes: [...files, scope] }));
    expect(body.breaking_changes).toMatchObject([{ code: 'scope.added' }]);
    expect((await eventsOf(person)).at(-1)).toBe('h2a.reauth_required');
  });
});

describe('EE-7 identity and connection mode', () => {
  const keys = () => generateKeyPairSync('ed25519');
  const raw = (key: KeyObject) => key.export({ format: 'jwk' }).x!;
  const exchange = () => raw(generateKeyPairSync('x25519').publicKey);
  type Mode = 'websocket' | 'polling' | 'webhook';

  function identity(agent: Agent, mode: Mode, pair = keys(), signer = pair, about: object = {}) {
    const stated = { connection_mode: mode, exchange_key: exchange() };
    const signed = { agent_id: agent.id, ...stated, purpose: 'parley-connection-mode-v1', ...about };
    return {
      identity_key: raw(pair.publicKey),
      ...stated,
      connection_mode_signature: sign(null, Buffer.from(canonicalise(signed)), signer.privateKey).toString('base64url'),
    };
  }
  const put = (agent: Agent, body: object, token = agent.token) =>
    server.call('PUT', `/agents/${agent.id}/identity`, { token, body });

  it('EE-7 the agent publishes its keys and its signed mode', async () => {
    const agent = await createAgent(server, owner);
    const body = identity(agent, 'polling');
    expect(await put(agent, body)).toMatchObject({ status: 200, body: { agent_id: agent.id, ...body } });
    expect((await server.call('GET', `/agents/${agent.id}`)).body).toMatchObject(body);
  });

  it('EE-7 a signature by another key, of another mode, agent, exchange key or purpose is refused', async () => {
    const agent = await createAgent(server, owner);
    const other = await createAgent(server, owner);
    const pair = keys();
    const forged = [
      identity(agent, 'websocket', pair, keys()),
      { ...identity(agent, 'websocket', pair), connection_mode: 'webhook' },
      identity(other, 'websocket', pair),
      { ...identity(agent, 'websocket', pair), exchange_key: exchange() },
      identity(agent, 'websocket', pair, pair, { purpose: 'something else' }),
      { ...identity(agent, 'websocket'), identity_key: 'A'.repeat(43) },
    ];
    for (const body of forged) expect((await put(agent, body)).status).toBe(400);
    expect((await server.call('GET', `/agents/${agent.id}`)).body.identity_key).toBeNull();
  });

  it('EE-7 nobody but the agent itself sets it, its owner included', async () => {
    const agent = await createAgent(server, owner);
    const other = await createAgent(server, owner);
    const body = identity(agent, 'websocket');
    expect((await put(agent, body, owner.token)).status).toBe(403);
    expect((await put(agent, body, other.token)).status).toBe(403);
  });

  it('EE-7 going over to webhooks asks everyone again; coming back asks nobody', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const pair = keys();
    await put(agent, identity(agent, 'websocket', pair));
    const { person, relationId } = await addTo(agent, ['filesystem:read']);
    await put(agent, identity(agent, 'polling', pair));
    expect(await eventsOf(person)).toEqual(['relation.established']);
    await put(agent, identity(agent, 'webhook', pair));
    expect(await eventsOf(person)).toEqual(['relation.established', 'h2a.reauth_required']);
    const relation = await server.call('GET', `/h2a/relations/${relationId}`, { token: person.token });
    expect(relation.body.pending_scopes).toEqual(['filesystem:read']);
    await put(agent, identity(agent, 'websocket', pair));
    expect(await eventsOf(person)).toHaveLength(2);
  });

  it('EE-7 a new identity key drops the prekeys that the old one signed', async () => {
    const agent = await createAgent(server, owner);
    await put(agent, identity(agent, 'websocket'));
    const { db } = server.platform;
    const owned = { owner_kind: 'agent', owner_id: agent.id, key_id: 1, public_key: exchange() } as const;
    await db
      .insertInto('signed_prekeys')
      .values({ ...owned, signature: 'old' })
      .execute();
    await db.insertInto('one_time_prekeys').values(owned).execute();
    await put(agent, identity(agent, 'websocket'));
    for (const table of ['signed_prekeys', 'one_time_prekeys'] as const) {
      expect(await db.selectFrom(table).select('key_id').where('owner_id', '=', agent.id).execute()).toEqual([]);
    }
  });
});
