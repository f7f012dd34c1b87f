import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer } from './harness/server.ts';

/**
 * A client as someone writes it who has only docs/spec and docs/frames.md: fetch, a bare WebSocket, and the frames `auth`
 * and `send`. It never sends `resume`.
 */
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Body = Record<string, unknown>;

async function request(method: string, path: string, token?: string, body?: Body): Promise<Body> {
  const reply = await fetch(server.url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Body;
}

/** Everything that came so far, and a way to wait for more. */
function listen(path: string, token: string) {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path);
  const frames: Body[] = [];
  let look = () => {};
  socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
  socket.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    look();
  });
  const hear = (type: string, count = 1) =>
    new Promise<Body[]>((resolve) => {
      look = () => {
        const found = frames.filter((frame) => frame.type === type);
        if (found.length >= count) resolve(found);
      };
      look();
    });
  return { hear, frames, send: (frame: Body) => socket.send(JSON.stringify(frame)), end: () => socket.terminate() };
}

const manifest = (required: string[]) => ({
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'read_file',
      description_i18n_key: 'tool.read_file',
      description_fallback: { en: 'Reads a file', 'zh-CN': '读取文件' },
      input_schema: { type: 'object', properties: { path: { type: 'string' } }, required, additionalProperties: false },
      permission_scope: 'filesystem:read',
    },
  ],
  permission_scopes: [
    { id: 'filesystem:read', label_i18n_key: 'scope.filesystem_read', label_fallback: 'Files', sensitivity: 'medium' },
  ],
});

const envelope = (agentId: string, conversationId: string) => ({
  header: {
    version: 1,
    conversation_id: conversationId,
    sender: { kind: 'agent', id: agentId },
    client_message_id: randomUUID(),
    content_type: 'text',
    msg_subtype: 'text',
    created_at: new Date().toISOString(),
  },
  ciphertext: randomBytes(60).toString('base64url'),
  wraps: [{ to: randomUUID(), key: randomBytes(48).toString('base64url') }],
  signature: randomBytes(64).toString('base64url'),
});

/** A person who has registered, and an agent of theirs that they have added. */
async function begin() {
  const email = `${randomUUID()}@example.org`;
  const account = { email, account_password: 'correct horse battery', display_name: 'Ann' };
  const token = String((await request('POST', '/auth/register', undefined, account)).access_token);
  const body = { name: 'Bot', capability_manifest: manifest([]) };
  const agent = await request('POST', '/agents', token, body);
  const [agentId, agentToken] = [String(agent.agent_id), String(agent.token)];
  const grant = { agent_id: agentId, granted_scopes: ['filesystem:read'] };
  const relation = await request('POST', '/h2a/relations', token, grant);
  return { token, agentId, agentToken, conversationId: String(relation.conversation_id) };
}

describe('TR-1 RL-8 a client written from the specification', () => {
  it('TR-1 RL-8 hears of a re-authorisation and of messages without sending resume, whether it was there or not', async () => {
    const { token, agentId, agentToken, conversationId } = await begin();
    const agent = listen(`/ws/agent?agent_id=${agentId}`, agentToken);
    expect(await agent.hear('relation.established')).toMatchObject([{ agent_id: agentId }]);
    agent.send({ type: 'send', envelope: envelope(agentId, conversationId) });
    await agent.hear('message.ack');
    await request('PATCH', `/agents/${agentId}`, agentToken, manifest(['path']));

    const person = listen('/ws/human', token);
    const reauth = { agent_id: agentId, new_manifest_version: 2, scopes_requiring_reauth: ['filesystem:read'] };
    expect(await person.hear('h2a.reauth_required')).toMatchObject([reauth]);
    expect(await person.hear('message.new')).toMatchObject([{ conversation_id: conversationId, conversation_seq: 1 }]);
    expect(await agent.hear('h2a.reauth_required')).toMatchObject([reauth]);

    agent.send({ type: 'send', envelope: envelope(agentId, conversationId) });
    expect(await person.hear('message.new', 2)).toMatchObject([{ conversation_seq: 1 }, { conversation_seq: 2 }]);
    const next = manifest(['path']);
    next.tools[0]!.input_schema.properties = { path: { type: 'integer' } };
    await request('PATCH', `/agents/${agentId}`, agentToken, next);
    const [, second] = await person.hear('h2a.reauth_required', 2);
    expect(second).toMatchObject({ new_manifest_version: 3 });
    expect(person.frames[0]).toMatchObject({ type: 'auth.ok' });
    for (const { end } of [person, agent]) end();
  });

  it('TR-4 hears the same by polling, with nothing said before', async () => {
    const { agentId, agentToken, token } = await begin();
    await request('PATCH', `/agents/${agentId}`, agentToken, manifest(['path']));
    const first = await request('GET', `/agents/${agentId}/messages/poll`, agentToken);
    const types = (reply: Body) => (reply.events as Body[]).map(({ type }) => type);
    expect(types(first)).toEqual(['relation.established', 'h2a.reauth_required']);
    const waiting = request('GET', `/agents/${agentId}/messages/poll?wait=20&cursor=${first.cursor}`, agentToken);
    const { relations } = (await request('GET', '/h2a/relations', token)) as { relations: Body[] };
    const answer = { granted_scopes: ['filesystem:read'] };
    await request('PATCH', `/h2a/relations/${relations[0]!.relation_id}`, token, answer);
    expect(types(await waiting)).toEqual(['agent.capability_changed']);
  });
});
