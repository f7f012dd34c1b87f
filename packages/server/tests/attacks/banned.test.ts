import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteAgent } from '../../src/agents/lifecycle.ts';
import { PASSWORD, signUp } from '../harness/accounts.ts';
import { befriend } from '../harness/contacts.ts';
import { addAgent, eventsOf, makeManifest } from '../harness/relations.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { connect } from '../harness/socket.ts';
import { addBot, addTalker, type Bot, seal, type Talker } from '../harness/talk.ts';

let server: TestServer;
let owner: Talker;
let person: Talker;
let bot: Bot;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

async function meet(): Promise<void> {
  [owner, person] = [await addTalker(server), await addTalker(server)];
  await befriend(server, owner.id, person.id);
  bot = await addBot(server, owner, { groups: true });
}
const group = async (members: object[]) =>
  server.call('POST', '/conversations', { token: person.token, body: { kind: 'group', members } });
const banOwner = () =>
  server.platform.db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', owner.id).execute();

describe('RL-6 attacks through agents and groups', () => {
  it('RL-6 the agent of a banned owner cannot be added, as it cannot be seen', async () => {
    await meet();
    await banOwner();
    const reply = await server.call('POST', '/h2a/relations', {
      token: person.token,
      body: { agent_id: bot.id, granted_scopes: [] },
    });
    expect(reply.status).toBe(404);
    expect((await server.call('GET', `/agents/${bot.id}`, { token: person.token })).status).toBe(404);
  });

  it('RL-6 the agent of a banned owner cannot be brought into a group', async () => {
    await meet();
    await banOwner();
    expect((await group([{ kind: 'agent', id: bot.id }])).status).toBe(404);
  });

  it('RL-5 watching from outside: an ended relation tells nothing of what a private agent became', async () => {
    await meet();
    const agent = await addAgent(server, { accountId: owner.id, token: owner.token }, makeManifest({}));
    const { body } = await server.call('POST', '/h2a/relations', {
      token: person.token,
      body: { agent_id: agent.id, granted_scopes: [] },
    });
    const path = `/h2a/relations/${body.relation_id}`;
    expect((await server.call('DELETE', path, { token: person.token })).status).toBe(204);
    const changed = await server.call('PATCH', `/agents/${agent.id}`, {
      token: owner.token,
      body: { visibility: 'private', name: 'Secret', capability_manifest: makeManifest({ 'network:http': 'medium' }) },
    });
    expect(changed.status).toBe(200);
    const { body: seen } = await server.call('GET', path, { token: person.token });
    expect(seen).toMatchObject({ status: 'ended', agent_name: '', current_manifest_version: 1 });
    expect(seen.current_manifest_hash).toBe(body.capability_manifest_hash);
  });

  it('EE-12 an agent made admin: an agent never manages a group, whoever wants it to', async () => {
    await meet();
    const { body } = await group([
      { kind: 'agent', id: bot.id },
      { kind: 'human', id: owner.id },
    ]);
    const path = `/conversations/${body.conversation_id}/members`;
    const promoted = await server.call('POST', path, {
      token: person.token,
      body: { kind: 'agent', id: bot.id, role: 'admin' },
    });
    expect(promoted.status).toBe(403);
    expect((await server.call('DELETE', `${path}/${owner.id}`, { token: bot.token })).status).toBe(403);
  });

  it('EE-12 gone without a word: whoever is deleted leaves every group, and those who stay are told', async () => {
    await meet();
    const { body } = await group([
      { kind: 'agent', id: bot.id },
      { kind: 'human', id: owner.id },
    ]);
    const id = body.conversation_id;
    const told = async () =>
      (await eventsOf(server, 'human', person.id))
        .filter(({ type }) => type === 'conversation.members_changed')
        .flatMap(({ payload }) => payload.removed);
    await deleteAgent(server.platform, bot.id);
    expect(await told()).toEqual([{ kind: 'agent', id: bot.id }]);
    const { token } = await signUp(server);
    const { body: me } = await server.call('GET', '/auth/me', { token });
    await befriend(server, person.id, me.user_id);
    const added = await server.call('POST', `/conversations/${id}/members`, {
      token: person.token,
      body: { kind: 'human', id: me.user_id },
    });
    expect(added.status).toBe(200);
    const deleted = await server.call('DELETE', '/auth/account', { token, body: { account_password: PASSWORD } });
    expect(deleted.status).toBe(204);
    expect(await told()).toEqual([
      { kind: 'agent', id: bot.id },
      { kind: 'human', id: me.user_id },
    ]);
    const { body: left } = await server.call('GET', `/conversations/${id}`, { token: person.token });
    expect(left.members.map((member: { id: string }) => member.id).sort()).toEqual([owner.id, person.id].sort());
  });

  it('TR-3 a forged read marker: others are told where it stands, not what was asked for', async () => {
    await meet();
    const { body } = await group([{ kind: 'human', id: owner.id }]);
    const conversation = body.conversation_id;
    const path = `/conversations/${conversation}`;
    await server.call('POST', `${path}/messages`, { token: person.token, body: seal(person, conversation) });
    const socket = await connect(server, person);
    const marked = await server.call('POST', `${path}/read`, {
      token: owner.token,
      body: { seq: Number.MAX_SAFE_INTEGER },
    });
    expect(marked.status).toBe(204);
    expect(await socket.next('message.read')).toMatchObject({ seq: 1 });
    await socket.end();
  });
});
