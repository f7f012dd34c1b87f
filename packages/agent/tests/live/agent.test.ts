import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent, type HasheeAgentOptions, ToolError } from '@parley/agent';
import { toBase64Url } from '@parley/e2ee';
import { createMemoryStore } from '@parley/messenger';
import { conversationRoutes, deviceRoutes, entryHash } from '@parley/protocol';
import { SignedAccount } from '@parley/testkit/account';
import { startCutProxy, startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Person } from './scene.ts';

const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;
const HTTP = { id: 'network:http', sensitivity: 'medium' } as const;
const args = { url: 'https://example.com' };

let server: TestServer;
let person: Person;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  server = await startTestServer();
  person = await joinUs();
});
afterAll(async () => {
  for (const one of open.reverse()) await one.close();
  await server.drop();
});

async function joinUs(): Promise<Person> {
  const joined = await Person.join(server);
  open.push(joined.messenger);
  return joined;
}
async function init(account: { agentId: string; token: string }, options: Partial<HasheeAgentOptions> = {}) {
  const errors: unknown[] = [];
  const agent = await HasheeAgent.init({
    ...account,
    baseUrl: server.url,
    connectionMode: 'websocket',
    keystore: createMemoryStore(),
    onError: (error) => errors.push(error),
    ...options,
  });
  open.push({ close: () => agent.disconnect() });
  return { agent, errors };
}
async function introduce(options: Partial<HasheeAgentOptions> = {}) {
  const account = await person.createAgent();
  const { agent, errors } = await init(account, options);
  const relation = await person.add(account.agentId, [NOTIFY]);
  person.script = (call) => ({ status: 'ok', result: call.arguments });
  return { account, relation, conversationId: relation.conversationId, agent, errors };
}

describe('SK-1 init', () => {
  it('EE-10 makes keys in a keystore only its owner can read, once, and tells their fingerprint', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-agent-'));
    vi.stubEnv('PARLEY_KEYSTORE', folder);
    const account = await person.createAgent();
    const { conversationId } = await person.add(account.agentId);
    const fingerprints: string[] = [];
    const start = () =>
      HasheeAgent.init({
        ...account,
        baseUrl: server.url,
        connectionMode: 'websocket',
        onKeyGenerated: (fingerprint) => fingerprints.push(fingerprint),
      });
    try {
      const first = await start();
      const place = join(folder, account.agentId);
      expect(statSync(place).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(place)) expect(statSync(join(place, name)).mode & 0o077).toBe(0);
      await expect(start()).rejects.toMatchObject({ code: 'STORE_HELD' });
      await first.send(conversationId, { type: 'text', text: 'before' });
      await first.disconnect();
      const second = await start();
      await second.send(conversationId, { type: 'text', text: 'after' });
      await second.disconnect();
      expect(fingerprints).toHaveLength(1);
      const trusted = await person.messenger.trust.agent(account.agentId);
      expect(trusted).toMatchObject({ ok: true, fingerprint: fingerprints[0] });
      await until(() => expect(person.texts).toEqual(expect.arrayContaining(['before', 'after'])));
    } finally {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('EE-9 other keys than those the server knows are used only on purpose, and people are warned', async () => {
    const { account, agent, conversationId } = await introduce();
    await agent.send(conversationId, { type: 'text', text: 'it is me' });
    await until(() => expect(person.texts).toContain('it is me'));
    await agent.disconnect();
    await expect(init(account)).rejects.toMatchObject({ code: 'KEYSTORE_MISMATCH' });
    const replaced = await init(account, { replaceIdentity: true });
    await replaced.agent.send(conversationId, { type: 'text', text: 'it is not me' });
    const changed = { kind: 'identity_changed', party: { kind: 'agent', id: account.agentId } };
    await until(() => expect(person.problems).toContainEqual(expect.objectContaining(changed)));
    expect(person.texts).not.toContain('it is not me');
  });

  it('SK-1 says what is missing, and lets go of the keystore when it fails', async () => {
    const account = await person.createAgent();
    await expect(init({ ...account, token: '' })).rejects.toThrow('token');
    await expect(init(account, { connectionMode: 'pigeon' as never })).rejects.toThrow('connectionMode');
    await expect(init({ ...account, agentId: '../../etc' }, { keystore: undefined as never })).rejects.toMatchObject({
      code: 'AGENT_ID_INVALID',
    });
    const folder = mkdtempSync(join(tmpdir(), 'parley-agent-'));
    const keystore = join(folder, 'keys');
    try {
      await expect(init({ ...account, token: `hsk_${'x'.repeat(40)}` }, { keystore })).rejects.toMatchObject({
        code: 'TOKEN_REFUSED',
        cause: { status: 401 },
      });
      const { agent } = await init(account, { keystore });
      await agent.disconnect();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('SK-1 talking', () => {
  it('SK-1 text, attachments and cards arrive, and messages come back', async () => {
    const { agent, conversationId } = await introduce();
    const heard: string[] = [];
    agent.addMessageHandler((msg) => heard.push(msg.payload.text));
    const { conversation_seq } = await agent.send(conversationId, { type: 'text', text: 'hello' });
    expect(conversation_seq).toBe(1);
    const data = new Uint8Array([1, 2, 3]);
    await agent.send(conversationId, { type: 'file', name: 'a.bin', mime_type: 'application/octet-stream', data });
    const { artifact_id } = await agent.sendArtifact(conversationId, {
      subtype: 'progress',
      title: 'Copy',
      progress: 0,
    });
    await agent.updateArtifact(conversationId, artifact_id, { progress: 1 });
    const mine = () => person.received.filter((message) => message.conversationId === conversationId);
    await until(() => expect(mine()).toHaveLength(4));
    expect(mine().map(({ msgSubtype }) => msgSubtype)).toEqual(['text', 'file', 'artifact', 'artifact_update']);
    await person.say(conversationId, 'hi');
    await until(() => expect(heard).toEqual(['hi']));
  });

  it('SK-1 after disconnect nothing more happens, and what came meanwhile is there the next time', async () => {
    const account = await person.createAgent();
    const { conversationId } = await person.add(account.agentId);
    const folder = mkdtempSync(join(tmpdir(), 'parley-agent-'));
    const keystore = join(folder, 'keys');
    try {
      const { agent } = await init(account, { keystore });
      const heard: string[] = [];
      agent.addMessageHandler((msg) => heard.push(msg.payload.text));
      const statuses: string[] = [];
      agent.addStatusHandler((status) => statuses.push(status));
      await person.say(conversationId, 'one');
      await until(() => expect(heard).toEqual(['one']));
      await agent.disconnect();
      expect(agent.status).toBe('closed');
      expect(statuses.at(-1)).toBe('closed');
      await person.say(conversationId, 'two');
      await expect(agent.send(conversationId, { type: 'text', text: 'x' })).rejects.toMatchObject({ code: 'CLOSED' });
      const next = await init(account, { keystore });
      next.agent.addMessageHandler((msg) => heard.push(msg.payload.text));
      await until(() => expect(heard).toEqual(['one', 'two']));
      await next.agent.disconnect();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('SK-3 callTool', () => {
  it('SK-3 resolves, or rejects with what can be branched on', async () => {
    const { agent, conversationId } = await introduce();
    expect(await agent.callTool(conversationId, 'fetch_url', args)).toEqual(args);
    person.script = () => ({ status: 'denied', reason: 'user_rejected' });
    const refused = agent.callTool(conversationId, 'fetch_url', args);
    await expect(refused).rejects.toMatchObject({ status: 'denied', reason: 'user_refused' });
    await expect(refused).rejects.toBeInstanceOf(ToolError);
  });

  it('SK-3 a pending call survives a reconnect', async () => {
    const proxy = await startCutProxy(server.url);
    open.push(proxy);
    const { agent, conversationId } = await introduce({ baseUrl: proxy.url });
    const statuses: string[] = [];
    agent.addStatusHandler((status) => statuses.push(status));
    let release = () => {};
    const decided = new Promise<void>((resolve) => {
      release = resolve;
    });
    person.script = async (call) => {
      await decided;
      return { status: 'ok', result: call.arguments.url! };
    };
    const calls = Promise.all(
      [1, 2, 3].map((n) => agent.callTool(conversationId, 'fetch_url', { url: `https://a.com/${n}` })),
    );
    await until(() => expect(person.received.some((message) => message.conversationId === conversationId)).toBe(true));
    proxy.cut();
    await until(() => expect(statuses).toContain('offline'));
    release();
    expect(await calls).toEqual(['https://a.com/1', 'https://a.com/2', 'https://a.com/3']);
    expect(agent.status).toBe('online');
  });

  it('SK-3 attack: a forged answer from another conversation, by another person of the same agent', async () => {
    const { agent, account, conversationId } = await introduce();
    const mallory = await joinUs();
    const { conversationId: elsewhere } = await mallory.add(account.agentId);
    const events: string[] = [];
    agent.addEventHandler((event) => {
      if (event.type === 'artifact_response') events.push(event.conversation_id);
    });
    person.script = () => undefined;
    const before = person.calls.length;
    const waiting = agent.callTool(conversationId, 'fetch_url', args);
    await until(() => expect(person.calls).toHaveLength(before + 1));
    const { call_id } = person.calls.at(-1)!;
    await mallory.answer(elsewhere, call_id, { status: 'ok', result: 'forged' });
    await until(() => expect(events).toEqual([elsewhere]));
    await person.answer(conversationId, call_id, { status: 'ok', result: 'genuine' });
    expect(await waiting).toBe('genuine');
  });

  it('TC-7 the sixty-first call of a minute is RATE_LIMITED, with the time to wait', async () => {
    const { agent, conversationId } = await introduce();
    const calls = Array.from({ length: 61 }, () => agent.callTool(conversationId, 'fetch_url', args));
    const results = await Promise.allSettled(calls);
    const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors).toMatchObject([{ status: 'error', reason: 'RATE_LIMITED', retryAfterMs: expect.any(Number) }]);
  });

  it('SK-3 works for an agent that polls', async () => {
    const { agent, conversationId } = await introduce({ connectionMode: 'polling' });
    expect(await agent.callTool(conversationId, 'fetch_url', args)).toEqual(args);
  });

  it('TC-8 in a group the members’ devices are asked, and their refusal ends the call', async () => {
    const manifest = {
      ...(await introduce().then(({ agent }) => agent.manifest())),
      capability_flags: { supports_group_chat: true },
    };
    const account = await person.createAgent(manifest);
    await person.add(account.agentId, [], manifest);
    const conversation_id = await person.startGroup(account.agentId);
    const { agent } = await init(account);
    person.script = () => ({ status: 'denied', reason: 'tool_not_supported_in_group' });
    const call = agent.callTool(conversation_id, 'fetch_url', args);
    await expect(call).rejects.toMatchObject({ status: 'denied', reason: 'tool_not_supported_in_group' });
  });
});

describe('RL-10 grants', () => {
  it('RL-10 are folded from the chain the person’s device signed, as it grows', async () => {
    const { agent, relation, conversationId } = await introduce();
    expect(await agent.grants(conversationId)).toMatchObject({ scopes: [NOTIFY], revoked: false, length: 1 });
    const answers: unknown[] = [];
    agent.addEventHandler((event) => {
      if (event.type === 'agent.capability_changed') answers.push(event.answer);
    });
    await person.change(relation, [NOTIFY, HTTP]);
    expect((await agent.grants(conversationId)).scopes.map(({ id }) => id).sort()).toEqual([HTTP.id, NOTIFY.id]);
    await until(() => expect(answers).toEqual(['changed']));
  });

  it('RL-10 attack: the server rolls the ledger back', async () => {
    const { agent, relation, conversationId } = await introduce();
    await person.change(relation, [NOTIFY, HTTP]);
    await person.change(relation, [NOTIFY]);
    await agent.grants(conversationId);
    await server.platform.db
      .deleteFrom('ledger_entries')
      .where('relation_id', '=', relation.relationId)
      .where('seq', '=', 3)
      .execute();
    await expect(agent.grants(conversationId)).rejects.toMatchObject({
      code: 'LEDGER_BROKEN',
      params: { problem: 'shortened' },
    });
  });

  /** The server edits its own rows: the conversation becomes that of the other person's relation. */
  async function misbind(conversationId: string, mine: string, other: { relationId: string; person: Person }) {
    const { db } = server.platform;
    const { conversation_id: spare } = await person.api.call(conversationRoutes.startConversation, {
      body: { kind: 'group', members: [] },
    });
    for (const [id, conversation_id] of [
      [mine, spare],
      [other.relationId, conversationId],
    ] as const) {
      await db.updateTable('h2a_relations').set({ conversation_id }).where('id', '=', id).execute();
    }
    await db
      .updateTable('members')
      .set({ member_id: other.person.accountId })
      .where('conversation_id', '=', conversationId)
      .where('member_id', '=', person.accountId)
      .execute();
  }

  it('EE-20 attack: the server puts another person, who has granted more, into the conversation', async () => {
    const { agent, account, relation, conversationId } = await introduce();
    const other = await joinUs();
    const wider = await other.add(account.agentId, [NOTIFY, HTTP]);
    expect((await agent.grants(conversationId)).scopes).toEqual([NOTIFY]);
    await misbind(conversationId, relation.relationId, { ...wider, person: other });
    // What was pinned counts: the relation of the person whom the agent has met.
    expect((await agent.grants(conversationId)).scopes).toEqual([NOTIFY]);
  });

  it('EE-20 attack: the same before the agent has met anyone: what was granted elsewhere is not granted here', async () => {
    const account = await person.createAgent();
    const { agent } = await init(account);
    const { relationId, conversationId } = await person.add(account.agentId, [NOTIFY]);
    const other = await joinUs();
    const wider = await other.add(account.agentId, [NOTIFY, HTTP]);
    await misbind(conversationId, relationId, { ...wider, person: other });
    expect(await agent.grants(conversationId)).toMatchObject({ scopes: [] });
  });

  it('EE-19 attack: an agent with another key is granted nothing of what was granted to the one before', async () => {
    const { agent, account, conversationId } = await introduce();
    expect((await agent.grants(conversationId)).scopes).toEqual([NOTIFY]);
    await agent.disconnect();
    const { agent: thief } = await init(account, { replaceIdentity: true });
    expect((await thief.grants(conversationId)).scopes).toEqual([]);
  });

  it('EE-18 attack: a device that was revoked signs on, together with the server', async () => {
    const { agent, relation, conversationId } = await introduce();
    const phone = SignedAccount.makeDevice();
    const { account } = person;
    const { api } = person;
    const identity_key = toBase64Url(phone.identity.publicKey);
    const exchange_key = toBase64Url(phone.exchange.publicKey);
    const body = { name: 'phone', identity_key, exchange_key, device_id: phone.deviceId };
    const session = await person.signIn(server);
    await session.call(deviceRoutes.addDevice, { body });
    await api.call(deviceRoutes.appendDeviceStatement, { body: { statement: account.add(phone) } });
    expect((await agent.grants(conversationId)).scopes).toEqual([NOTIFY]);
    const { ledger, relationId } = relation;
    const known = { kind: 'ledger' as const, id: relationId, length: 1, head: ledger.head! };
    const statement = account.revoke(phone, [known]);
    await api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
    const entry = ledger.sign(phone, [NOTIFY, HTTP]);
    await server.platform.db
      .insertInto('ledger_entries')
      .values({
        relation_id: relationId,
        seq: 2,
        hash: entryHash(entry),
        entry: JSON.stringify(entry),
        created_at: new Date(),
      })
      .execute();
    await server.platform.db
      .updateTable('h2a_relations')
      .set({ ledger_length: 2, ledger_head: entryHash(entry) })
      .where('id', '=', relationId)
      .execute();
    await until(async () => expect(await agent.grants(conversationId)).toMatchObject({ length: 2, scopes: [NOTIFY] }));
  });
});
