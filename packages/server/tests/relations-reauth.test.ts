import { hashManifest, type Json, type Manifest } from '@parley/documents';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keyOf } from '../src/events/bus.ts';
import { MISSING } from '../src/relations/compare.ts';
import { noteModeWeakened } from '../src/relations/connection-mode.ts';
import { noteManifestChange } from '../src/relations/reauth.ts';
import {
  type Agent,
  addAgent,
  addDevice,
  addPerson,
  eventsOf,
  makeEntry,
  makeManifest,
  type Person,
  publish,
  type Sensitivity,
  type ToolSpec,
} from './harness/relations.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

const SCOPES = { 'a:read': 'low', 'b:read': 'low' } as const;
const TOOLS = {
  tool_a: { scope: 'a:read', properties: { path: { type: 'string' } } },
  tool_b: { scope: 'b:read', properties: { path: { type: 'string' } } },
} as const satisfies Record<string, ToolSpec>;
const base = (scopes: Record<string, Sensitivity> = {}, tools: Record<string, ToolSpec> = {}): Manifest =>
  makeManifest({ ...SCOPES, ...scopes }, { ...TOOLS, ...tools });
const FIRST = base();
/** tool_a wants one argument more. */
const STRICT_A: Record<string, ToolSpec> = { tool_a: { ...TOOLS.tool_a, requires: ['path'] } };

let server: TestServer;
let agent: Agent;
let person: Person;
let relationId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(async () => {
  agent = await addAgent(server, await addPerson(server), FIRST);
  person = await addPerson(server);
  relationId = await establish(person);
});

async function establish(who: Person): Promise<string> {
  const body = { agent_id: agent.id, granted_scopes: ['a:read', 'b:read'] };
  return (await server.call('POST', '/h2a/relations', { token: who.token, body })).body.relation_id;
}
const relation = async () => (await server.call('GET', `/h2a/relations/${relationId}`, { token: person.token })).body;
const answer = (granted_scopes: readonly string[], manifest_hash?: string) =>
  server.call('PATCH', `/h2a/relations/${relationId}`, {
    token: person.token,
    body: { granted_scopes, ...(manifest_hash ? { manifest_hash } : {}) },
  });
const hashOf = (manifest: Manifest) => hashManifest(manifest as Json);
const lastEvent = async (kind: 'human' | 'agent' = 'human') =>
  (await eventsOf(server, kind, kind === 'human' ? person.accountId : agent.id)).at(-1)!;

describe('RL-8 a new manifest', () => {
  it('RL-8 a breaking one asks everyone who has added the agent, and tells its observer', async () => {
    const other = await addPerson(server);
    await establish(other);
    const next = base({}, STRICT_A);
    await publish(server, agent, next);
    const event = {
      type: 'h2a.reauth_required',
      payload: {
        agent_id: agent.id,
        new_manifest_version: 2,
        new_manifest_hash: hashOf(next),
        scopes_requiring_reauth: ['a:read'],
      },
    };
    expect(await lastEvent()).toEqual(event);
    expect((await eventsOf(server, 'human', other.accountId)).at(-1)).toEqual(event);
    expect(await lastEvent('agent')).toEqual(event);
    expect(await relation()).toMatchObject({
      pending_scopes: ['a:read'],
      granted_scopes: ['a:read', 'b:read'],
      capability_manifest_version: 1,
      current_manifest_version: 2,
    });
  });

  it('RL-8 OP-5 in the transaction nothing is compared: what was found before it counts', async () => {
    const { db } = server.platform;
    const published = {
      agentId: agent.id,
      ownerId: agent.owner.accountId,
      version: 2,
      hash: hashOf(FIRST),
      manifest: FIRST,
    };
    // Nothing has changed, so a diff of our own would ask for nothing.
    const comparisons = new Map([[1, { breaking: true, scopesRequiringReauth: ['b:read'] }]]);
    await db.transaction().execute((trx) => noteManifestChange(trx, server.platform, { published, comparisons }));
    for (const kind of ['human', 'agent'] as const) {
      expect(await lastEvent(kind)).toMatchObject({
        type: 'h2a.reauth_required',
        payload: { scopes_requiring_reauth: ['b:read'] },
      });
    }
  });

  it('RL-8 OP-5 a comparison that is missing ends the transaction, so that it is made first', async () => {
    const { db } = server.platform;
    const published = {
      agentId: agent.id,
      ownerId: agent.owner.accountId,
      version: 2,
      hash: hashOf(FIRST),
      manifest: FIRST,
    };
    const change = { published, comparisons: new Map() };
    const told = await eventsOf(server, 'human', person.accountId);
    const noted = db.transaction().execute((trx) => noteManifestChange(trx, server.platform, change));
    await expect(noted).rejects.toBe(MISSING);
    expect(await eventsOf(server, 'human', person.accountId)).toEqual(told);
  });

  it('RL-8 a silent one is told silently and asks nothing', async () => {
    const next = base({}, { tool_c: { scope: 'a:read' } });
    await publish(server, agent, next);
    expect(await lastEvent()).toEqual({
      type: 'h2a.manifest_updated',
      payload: { agent_id: agent.id, new_manifest_version: 2, new_manifest_hash: hashOf(next) },
    });
    expect(await relation()).toMatchObject({ pending_scopes: [], capability_manifest_version: 1 });
    expect((await lastEvent('agent')).type).toBe('relation.established');
  });

  it('RL-8 the observer learns of a breaking change even where nobody has added the agent', async () => {
    agent = await addAgent(server, agent.owner, FIRST);
    await publish(server, agent, base({}, STRICT_A));
    expect(await eventsOf(server, 'agent', agent.id)).toMatchObject([{ type: 'h2a.reauth_required' }]);
  });

  it('RL-8 whoever is online is woken once it has committed, whoever has left is not told', async () => {
    const gone = await addPerson(server);
    const ended = await establish(gone);
    await server.call('DELETE', `/h2a/relations/${ended}`, { token: gone.token });
    const woken: string[] = [];
    const stop = [person, gone].map(({ accountId }) =>
      server.platform.bus.listen(keyOf.human(accountId), () => {
        woken.push(accountId);
      }),
    );
    await publish(server, agent, base({}, STRICT_A));
    await until(() => expect(woken).toContain(person.accountId));
    for (const end of stop) end();
    expect(woken).not.toContain(gone.accountId);
    const types = (await eventsOf(server, 'human', gone.accountId)).map((event) => event.type);
    expect(types).toEqual(['relation.established', 'relation.revoked']);
  });

  it('RL-8 a change that did not commit tells nobody', async () => {
    const before = await eventsOf(server, 'human', person.accountId);
    await publish(server, agent, { ...FIRST, permission_scopes: [] });
    expect(await eventsOf(server, 'human', person.accountId)).toEqual(before);
  });
});

describe('RL-9 compared with what was agreed to', () => {
  it('RL-9 a tool removed and added back altered is noticed', async () => {
    const { tool_a: _, ...rest } = TOOLS;
    await publish(server, agent, makeManifest(SCOPES, rest));
    expect((await lastEvent()).type).toBe('h2a.manifest_updated');
    const reply = await publish(server, agent, base({}, STRICT_A));
    expect(reply.body.breaking_changes).toEqual([]);
    expect(await lastEvent()).toMatchObject({
      type: 'h2a.reauth_required',
      payload: { new_manifest_version: 3, scopes_requiring_reauth: ['a:read'] },
    });
    expect((await relation()).pending_scopes).toEqual(['a:read']);
  });

  it('RL-9 a tool removed and added back unaltered asks nothing', async () => {
    const { tool_a: _, ...rest } = TOOLS;
    await publish(server, agent, makeManifest(SCOPES, rest));
    await publish(server, agent, FIRST);
    expect((await relation()).pending_scopes).toEqual([]);
  });

  it('RL-9 pending scopes accumulate over two breaking changes, and stay when the first is undone', async () => {
    await publish(server, agent, base({}, STRICT_A));
    await publish(server, agent, base({ 'b:read': 'high' }, STRICT_A));
    expect((await relation()).pending_scopes).toEqual(['a:read', 'b:read']);
    await publish(server, agent, base({ 'b:read': 'high' }));
    expect((await relation()).pending_scopes).toEqual(['a:read', 'b:read']);
    expect((await lastEvent()).payload.scopes_requiring_reauth).toEqual(['a:read', 'b:read']);
  });

  it('RL-9 a pending scope that the manifest declares no longer is not waited for', async () => {
    await publish(server, agent, base({ 'c:read': 'low' }));
    expect((await relation()).pending_scopes).toEqual(['c:read']);
    await publish(server, agent, FIRST);
    expect((await relation()).pending_scopes).toEqual([]);
    expect((await lastEvent()).type).toBe('h2a.manifest_updated');
  });

  it('RL-9 a breaking change of no scope asks, but suspends nothing', async () => {
    const flags = { capability_flags: { supports_streaming: true } };
    await publish(server, agent, { ...FIRST, ...flags });
    await answer(['a:read', 'b:read']);
    await publish(server, agent, FIRST);
    expect(await lastEvent()).toMatchObject({
      type: 'h2a.reauth_required',
      payload: { scopes_requiring_reauth: [] },
    });
    expect((await relation()).pending_scopes).toEqual([]);
  });

  it('RL-9 people who agreed to different versions are asked different things', async () => {
    await publish(server, agent, base({}, STRICT_A));
    const late = await addPerson(server);
    await establish(late);
    await publish(server, agent, base({ 'b:read': 'medium' }, STRICT_A));
    expect((await lastEvent()).payload.scopes_requiring_reauth).toEqual(['a:read', 'b:read']);
    const told = (await eventsOf(server, 'human', late.accountId)).at(-1)!;
    expect(told).toMatchObject({ type: 'h2a.reauth_required', payload: { scopes_requiring_reauth: ['b:read'] } });
  });

  it('RL-9 what waits for one agent is nothing to another, nor to those who agreed later', async () => {
    const first = agent;
    await publish(server, first, base({}, STRICT_A));
    agent = await addAgent(server, first.owner, FIRST);
    const other = await addPerson(server);
    const otherId = await establish(other);
    await publish(server, agent, base({ 'b:read': 'high' }));
    const read = await server.call('GET', `/h2a/relations/${otherId}`, { token: other.token });
    expect(read.body.pending_scopes).toEqual(['b:read']);
    expect((await relation()).pending_scopes).toEqual(['a:read']);
    agent = first;
    const late = await addPerson(server);
    const lateId = await establish(late);
    expect((await server.call('GET', `/h2a/relations/${lateId}`, { token: late.token })).body.pending_scopes).toEqual(
      [],
    );
  });

  it('RL-9 a suspended relation keeps waiting, an ended one waits for nothing', async () => {
    await server.call('POST', `/agents/${agent.id}/suspend`, { token: agent.owner.token });
    await publish(server, agent, base({}, STRICT_A));
    expect(await relation()).toMatchObject({ status: 'suspended', pending_scopes: ['a:read'] });
    await server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token });
    expect(await relation()).toMatchObject({ status: 'ended', pending_scopes: [] });
  });
});

describe('RL-9 the answer', () => {
  const next = base({}, STRICT_A);

  it('RL-9 agreeing clears what was pending and moves the agreed version; the agent learns it', async () => {
    await publish(server, agent, next);
    const { body } = await answer(['a:read', 'b:read'], hashOf(next));
    expect(body).toMatchObject({
      pending_scopes: [],
      granted_scopes: ['a:read', 'b:read'],
      capability_manifest_version: 2,
      capability_manifest_hash: hashOf(next),
    });
    expect(await lastEvent('agent')).toMatchObject({
      type: 'agent.capability_changed',
      payload: { relation_id: relationId, answer: 'granted', capability_manifest_version: 2 },
    });
  });

  it('RL-9 refusing keeps the rest working', async () => {
    await publish(server, agent, next);
    const { body } = await answer(['b:read'], hashOf(next));
    expect(body).toMatchObject({ pending_scopes: [], granted_scopes: ['b:read'], status: 'active' });
    expect((await lastEvent('agent')).payload).toMatchObject({ answer: 'refused', granted_scopes: ['b:read'] });
    await publish(server, agent, { ...next, agent_version: '1.0.1' });
    expect((await lastEvent()).type).toBe('h2a.manifest_updated');
  });

  it('RL-9 agreeing to some of it is a partial answer', async () => {
    await publish(server, agent, base({ 'b:read': 'high' }, STRICT_A));
    await answer(['b:read']);
    expect((await lastEvent('agent')).payload.answer).toBe('partial');
  });

  it('RL-6 an answer to a text that has changed meanwhile is refused', async () => {
    await publish(server, agent, next);
    await publish(server, agent, base({ 'b:read': 'high' }, STRICT_A));
    const { status, body } = await answer(['a:read', 'b:read'], hashOf(next));
    expect([status, body.error.code]).toEqual([409, 'MANIFEST_CHANGED']);
    expect((await relation()).pending_scopes).toEqual(['a:read', 'b:read']);
  });

  it('RL-7 taking back needs no reading of the new manifest, and answers nothing', async () => {
    await publish(server, agent, next);
    const { status, body } = await answer(['a:read'], hashOf(FIRST));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      granted_scopes: ['a:read'],
      pending_scopes: ['a:read'],
      capability_manifest_version: 1,
    });
    expect((await answer(['a:read', 'b:read'], hashOf(FIRST))).body.error.code).toBe('MANIFEST_CHANGED');
  });

  it('RL-10 taking back under the old manifest can be signed', async () => {
    await publish(server, agent, next);
    const device = await addDevice(server, person);
    const { conversation_id: conversationId } = await relation();
    const signing = { relationId, conversationId, person, agent, device, manifest: FIRST, version: 1 };
    const first = makeEntry({ ...signing, scopes: ['b:read'] });
    const { body } = await server.call('PATCH', `/h2a/relations/${relationId}`, {
      token: person.token,
      body: { granted_scopes: ['b:read'], ledger_entry: first },
    });
    expect(body).toMatchObject({ signed: true, granted_scopes: ['b:read'], pending_scopes: ['a:read'] });
    const answered = makeEntry({ ...signing, manifest: next, version: 2, scopes: ['a:read', 'b:read'], after: first });
    const reply = await server.call('PATCH', `/h2a/relations/${relationId}`, {
      token: person.token,
      body: { granted_scopes: ['a:read', 'b:read'], ledger_entry: answered },
    });
    expect(reply.body).toMatchObject({ signed: true, pending_scopes: [], capability_manifest_version: 2 });
  });

  it('RL-9 an answer racing a new manifest is never lost between the two', async () => {
    const versions = Array.from({ length: 6 }, (_, index) => base({ [`s${index}:x`]: 'low' }));
    await Promise.all(versions.flatMap((manifest) => [publish(server, agent, manifest), answer(['a:read'])]));
    const { capability_manifest_version: agreed, current_manifest_version: current, pending_scopes } = await relation();
    expect(current).toBe(7);
    expect(pending_scopes.length).toBe(agreed === current ? 0 : 1);
  });
});

describe('EE-7 a weaker mode', () => {
  it('EE-7 everything granted waits for the user again', async () => {
    const { db } = server.platform;
    await db.updateTable('agents').set({ connection_mode: 'webhook' }).where('id', '=', agent.id).execute();
    const wake = await db.transaction().execute((trx) => noteModeWeakened(trx, server.platform, agent.id));
    wake();
    expect((await relation()).pending_scopes).toEqual(['a:read', 'b:read']);
    expect(await lastEvent()).toMatchObject({
      type: 'h2a.reauth_required',
      payload: { scopes_requiring_reauth: ['a:read', 'b:read'], connection_mode: 'webhook', new_manifest_version: 1 },
    });
    const late = await addPerson(server);
    const lateId = await establish(late);
    expect((await server.call('GET', `/h2a/relations/${lateId}`, { token: late.token })).body.pending_scopes).toEqual(
      [],
    );
    expect((await answer(['a:read'])).body).toMatchObject({ pending_scopes: [], granted_scopes: ['a:read'] });
    expect((await lastEvent('agent')).payload.answer).toBe('partial');
  });
});
