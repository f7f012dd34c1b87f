import { randomUUID } from 'node:crypto';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Device } from '../../../src/device.ts';
import { addAgent, approve, createDisk, deviceOf, newClient, waitUntil } from '../rig.ts';
import { Mallory, problem, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

/** Envelopes that someone sent to the server in this conversation. */
const sent = (conversationId: string): Anything[] =>
  scene.evil.taken
    .filter(({ type, envelope }) => type === 'send' && envelope.header.conversation_id === conversationId)
    .map(({ envelope }) => envelope);
const viewOf = (device: Device, relationId: string) =>
  device.relations.getSnapshot().find((one) => one.relationId === relationId)!;

/** A second device of the person, which knows no other server. */
async function deceivedPhone(person: Awaited<ReturnType<Scene['victim']>>) {
  const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
  scene.world.atEnd(() => phone.client.close());
  await phone.client.login(person.credentials);
  return approve(person, phone.client);
}

describe('EE-19 a server that moves grants', () => {
  it('EE-19 attack: grant transfer: a relation row edited to another agent hands it nothing', async () => {
    const person = await scene.victim();
    const [granted, other] = [await scene.world.bot(), await scene.world.bot()];
    const a = await addAgent(person.device, granted.agentId);
    const b = await addAgent(person.device, other.agentId, ['note:low']);
    await scene.world.server.editDatabase(`
      update h2a_relations set status = 'ended' where id = '${b.relationId}';
      update h2a_relations set agent_id = '${other.agentId}', conversation_id = '${b.conversationId}'
      where id = '${a.relationId}'`);
    await person.device.relations.sync();
    expect(await problem(person, 'row')).toEqual({ kind: 'row', subject: 'relation', id: a.relationId });
    const medium = { tool_name: 'say_medium' };
    expect(await other.call(b.conversationId, medium)).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
    expect(viewOf(person.device, a.relationId)).toMatchObject({ agentId: granted.agentId });
    expect(person.ran).toEqual([]);
  });

  it('EE-19 attack: grant transfer: nor on a device that starts with such a row', async () => {
    const disk = createDisk();
    const person = await scene.victim({ store: disk.open() });
    const [granted, other] = [await scene.world.bot(), await scene.world.bot()];
    const a = await addAgent(person.device, granted.agentId);
    const b = await addAgent(person.device, other.agentId, ['note:low']);
    await person.client.close();
    await scene.world.server.editDatabase(`
      update h2a_relations set status = 'ended' where id = '${b.relationId}';
      update h2a_relations set agent_id = '${other.agentId}', conversation_id = '${b.conversationId}'
      where id = '${a.relationId}'`);
    const again = await newClient(scene.world.server, { store: disk.open() });
    scene.world.atEnd(() => again.client.close());
    const device = deviceOf(again.client);
    await device.relations.sync();
    const medium = { tool_name: 'say_medium' };
    expect(await other.call(b.conversationId, medium)).toMatchObject({ status: 'denied' });
    expect(again.ran).toEqual([]);
  });

  it('EE-19 attack: a conversation_id changed later is not believed', async () => {
    const person = await scene.victim();
    const [bot, other] = [await scene.world.bot(), await scene.world.bot()];
    const { relationId, conversationId } = await addAgent(person.device, bot.agentId);
    const b = await addAgent(person.device, other.agentId, ['note:low']);
    for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
      scene.evil.answer(route, ({ body }) => {
        for (const row of body.relations ?? [body]) {
          if (row.relation_id === relationId) row.conversation_id = b.conversationId;
        }
      });
    }
    await person.device.relations.sync();
    expect(await problem(person, 'row')).toEqual({ kind: 'row', subject: 'relation', id: relationId });
    expect(viewOf(person.device, relationId)).toMatchObject({ conversationId });
    await person.device.conversations.sync();
    const title = person.device.conversations.list.getSnapshot().find((one) => one.conversationId === b.conversationId);
    expect(title).toMatchObject({ agentId: other.agentId });
  });

  it('EE-19 attack: the agent in the place of the one that was granted has another key: nothing runs for it', async () => {
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const { relationId, conversationId } = await addAgent(person.device, bot.agentId);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    // The agent starts over with new keys; until the person has confirmed them, nothing counts, and then it is signed.
    await bot.messenger.close();
    const again = await scene.world.rebuild(bot, { replaceIdentity: true });
    const party = { kind: 'agent' as const, id: bot.agentId };
    await person.device.relations.review(relationId).catch(() => {});
    await again.send(conversationId, { type: 'text', text: 'hello' });
    const changed = (await problem(person, 'identity_changed')) as Anything;
    await person.device.identities.confirm(party, changed.offered);
    const [, signed] = person.device.relations.history(relationId) as Anything[];
    expect(signed).toMatchObject({ version: 2, agent_key: changed.offered });
    expect(await again.call(conversationId, {})).toMatchObject({ status: 'ok' });
  });
});

describe('EE-21 a server that answers each request with another key', () => {
  it.each([1, 2, 3, 4])('EE-21 attack: fingerprint race: only request %i shows the honest key', async (turn) => {
    const honest = await scene.world.person();
    const bot = await scene.world.bot();
    const { identity } = await honest.device.agents.inspect({ agentId: bot.agentId });
    const { fingerprint, key } = identity as Anything;
    const person = await scene.victim();
    const mallory = new Mallory();
    let requests = 0;
    scene.evil.answer('GET /agents/:id', ({ body }) =>
      ++requests === turn ? body : { ...body, ...mallory.agentKeys(bot.agentId) },
    );
    const details = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    if (details.identity.ok) expect(details.identity).toMatchObject({ verified: true, key });
    else expect(details.identity.problem).toBe('fingerprint');
    scene.evil.repent();
    const after = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    expect(after.identity).toMatchObject({ ok: true, verified: true, key });
  });
});

describe('EE-20 a server that puts others into a conversation', () => {
  it('EE-20 attack: conversation misbinding: text to a verified agent is sealed for no other, on any device', async () => {
    const person = await scene.victim();
    const device = await deceivedPhone(person);
    const [bot, other] = [await scene.world.bot(), await scene.world.bot()];
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await person.device.identities.markVerified({ kind: 'agent', id: bot.agentId });
    await waitUntil(device.relations, (all) => all.some((one) => one.conversationId === conversationId));
    scene.evil.answer('GET /conversations/:id', ({ body }) => {
      if (body.conversation_id !== conversationId) return;
      for (const member of body.members) if (member.kind === 'agent') member.id = other.agentId;
    });
    for (const one of [person.device, device]) {
      const title = one.conversations.list.getSnapshot().find((view) => view.conversationId === conversationId);
      expect(title === undefined || title.agentId === bot.agentId).toBe(true);
      await expect(one.conversations.sendText(conversationId, 'for the first')).rejects.toMatchObject({
        code: 'CONVERSATION_CHANGED',
      });
    }
    expect(sent(conversationId)).toEqual([]);
    expect(await problem(person, 'row')).toMatchObject({ subject: 'conversation', id: conversationId });
  });

  it('EE-20 attack: conversation misbinding: a new h2a conversation declared a group has no third reader', async () => {
    const person = await scene.victim();
    const device = await deceivedPhone(person);
    const stranger = await scene.world.person();
    const bot = await scene.world.bot();
    scene.evil.answer('GET /conversations/:id', ({ body }) => {
      body.kind = 'group';
      delete body.relation_id;
      body.members.push({ kind: 'human', id: stranger.device.accountId, role: 'member', name: 'Eve' });
    });
    scene.evil.answer('GET /conversations', ({ body }) => {
      for (const one of body.conversations) Object.assign(one, { kind: 'group', title: 'Family' });
    });
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await waitUntil(device.relations, (all) => all.some((one) => one.conversationId === conversationId));
    for (const one of [person.device, device]) {
      await expect(one.conversations.sendText(conversationId, 'for the agent')).rejects.toMatchObject({
        code: 'CONVERSATION_CHANGED',
      });
    }
    expect(sent(conversationId)).toEqual([]);
  });

  it('EE-20 attack: conversation misbinding: a chat with a verified person is begun with another', async () => {
    const person = await scene.victim();
    const [bob, eve] = [await scene.world.person(), await scene.world.person()];
    scene.evil.answer('POST /conversations', ({ body }) => {
      for (const member of body.members) if (member.id === bob.device.accountId) member.id = eve.device.accountId;
    });
    await expect(person.device.conversations.startWithPerson(bob.device.accountId)).rejects.toMatchObject({
      code: 'CONVERSATION_CHANGED',
    });
  });

  it('EE-20 attack: conversation misbinding: a chat with a verified person is read by no other later, nor under their title', async () => {
    const person = await scene.victim();
    const [bob, eve] = [await scene.world.person(), await scene.world.person()];
    const withBob = await person.device.conversations.startWithPerson(bob.device.accountId);
    const withEve = await person.device.conversations.startWithPerson(eve.device.accountId);
    await person.device.conversations.sendText(withBob, 'hello');
    scene.evil.answer('GET /conversations/:id', ({ body }) => {
      if (body.conversation_id !== withBob) return;
      for (const member of body.members) if (member.id === bob.device.accountId) member.id = eve.device.accountId;
    });
    scene.evil.answer('GET /conversations', ({ body }) => {
      for (const one of body.conversations) one.title = one.conversation_id === withBob ? 'Eve' : 'Bob';
    });
    await person.device.conversations.sync();
    const titles = person.device.conversations.list.getSnapshot();
    expect(titles.find((one) => one.conversationId === withEve)?.title).toBe('Ada');
    expect(titles.find((one) => one.conversationId === withBob)?.title).toBe('Ada');
    await expect(person.device.conversations.detail(withBob)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    const before = sent(withBob).length;
    scene.evil.push({
      type: 'conversation.members_changed',
      event_id: 10 ** 9,
      conversation_id: withBob,
      added: [],
      removed: [],
    });
    await person.device.conversations.sendText(withBob, 'still for Bob?').catch(() => {});
    const eves = eve.device.deviceId;
    for (const envelope of sent(withBob).slice(before)) expect(JSON.stringify(envelope.wraps)).not.toContain(eves);
  });

  it('EE-20 attack: group ghosts: a member whom the server inserts gets no key, is shown as what it is, and reported', async () => {
    const person = await scene.victim();
    const [bob, eve] = [await scene.world.person(), await scene.world.person()];
    const members = [{ kind: 'human' as const, id: bob.device.accountId }];
    const group = await person.device.conversations.startGroup('Family', members);
    await person.device.conversations.sendText(group, 'before');
    await scene.world.server.editDatabase(`
      insert into members (conversation_id, member_kind, member_id, role)
      values ('${group}', 'human', '${eve.device.accountId}', 'member')`);
    const detail = await person.device.conversations.detail(group);
    expect(detail.members.map(({ id }) => id).sort()).toEqual([person.device.accountId, bob.device.accountId].sort());
    expect(detail.strangers).toMatchObject([{ id: eve.device.accountId }]);
    expect(await problem(person, 'members')).toMatchObject({
      conversationId: group,
      strangers: [{ kind: 'human', id: eve.device.accountId }],
    });
    await person.device.conversations.sendText(group, 'not for Eve');
    expect(JSON.stringify(sent(group).map(({ wraps }) => wraps))).not.toContain(eve.device.deviceId);
    await waitUntil(bob.device.conversations.timeline(group), ({ messages }) =>
      messages.some(({ payload }) => (payload as Anything).text === 'not for Eve'),
    );
    // Whom nobody signed in, nobody has to sign out.
    await person.device.conversations.removeMember(group, eve.device.accountId);
    expect((await person.device.conversations.detail(group)).strangers).toEqual([]);
    const eves = eve.device.conversations.timeline(group).getSnapshot().messages;
    expect(eves.some(({ payload }) => (payload as Anything).text === 'not for Eve')).toBe(false);
  });

  it('EE-20 attack: group ghosts: the server keeps the victim’s own list clean, and gains no reader by it', async () => {
    const person = await scene.victim();
    const [bob, eve] = [await scene.world.person(), await scene.world.person()];
    const group = await person.device.conversations.startGroup('Family', [{ kind: 'human', id: bob.device.accountId }]);
    await scene.world.server.editDatabase(`
      insert into members (conversation_id, member_kind, member_id, role)
      values ('${group}', 'human', '${eve.device.accountId}', 'member')`);
    scene.evil.answer('GET /conversations/:id', ({ body }) => {
      body.members = body.members.filter(({ id }: Anything) => id !== eve.device.accountId);
    });
    await person.device.conversations.sendText(group, 'not for Eve');
    expect(JSON.stringify(sent(group).map(({ wraps }) => wraps))).not.toContain(eve.device.deviceId);
    const bobs = await bob.device.conversations.detail(group);
    expect(bobs.strangers).toMatchObject([{ id: eve.device.accountId }]);
  });

  it('EE-20 attack: a group that nobody signed has no members, whatever the server says', async () => {
    const person = await scene.victim();
    const eve = await scene.world.person();
    const group = randomUUID();
    scene.evil.answer('GET /conversations/:id', (answer, { path }) => {
      if (!path.endsWith(group)) return;
      answer.status = 200;
      const names = [person.device.accountId, eve.device.accountId];
      return {
        conversation_id: group,
        kind: 'group',
        title: 'Family',
        last_seq: 0,
        created_at: new Date().toISOString(),
        members: names.map((id) => ({ kind: 'human', id, role: 'member', name: 'Someone' })),
      };
    });
    scene.evil.answer('GET /conversations/:id/statements', (answer, { path }) => {
      if (!path.includes(group)) return;
      answer.status = 200;
      return { statements: [], length: 0, head: null };
    });
    await expect(person.device.conversations.sendText(group, 'hello')).rejects.toMatchObject({
      code: 'GROUP_UNSIGNED',
    });
  });
});
