import { randomUUID } from 'node:crypto';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../src/index.ts';
import { MANIFEST } from '../guard-fixtures.ts';
import { approve, type Bot, createDisk, deviceOf, newClient, type Person, startBot, toolCall } from './rig.ts';
import { World } from './world.ts';

let world: World;
let ada: Person;
beforeAll(async () => {
  world = await World.start();
  ada = await world.person();
});
afterAll(() => world.end());

const idOf = ({ device }: Person) => device.accountId;
const contact = (person: Person) => ({ kind: 'human' as const, id: idOf(person) });
const membersOf = async (person: Person, group: string) =>
  (await person.device.conversations.detail(group)).members.map(({ id }) => id);

describe('AC-4 first contact', () => {
  it('AC-4 strangers become contacts by a code, and write to each other', async () => {
    const bob = await world.stranger();
    await expect(ada.device.conversations.startWithPerson(idOf(bob))).rejects.toMatchObject({
      code: 'CONTACT_REQUIRED',
    });
    expect(await ada.device.contacts.ask({ code: await bob.device.contacts.code() })).toBeUndefined();
    const { incoming } = await waitUntil(bob.device.contacts, (now) => now.incoming.length === 1);
    expect(incoming[0]).toMatchObject({ user_id: idOf(ada), by: 'code' });
    const chat = await bob.device.contacts.accept(incoming[0]!.request_id);
    await bob.device.conversations.sendText(chat, 'hello Ada');
    await waitUntil(ada.device.contacts, ({ contacts }) => contacts.some(({ user_id }) => user_id === idOf(bob)));
    const { messages } = await waitUntil(
      ada.device.conversations.timeline(chat),
      (now) => now.messages.length === 1 && now.loaded,
    );
    expect(messages[0]).toMatchObject({ payload: { text: 'hello Ada' } });
    expect(ada.device.contacts.getSnapshot().outgoing).toEqual([]);
  });
});

describe('AC-5 groups', () => {
  it('AC-5 whoever left is invited, and signed in by the device that invited them once they accept', async () => {
    const [bob, cleo] = [await world.person(), await world.person()];
    const group = await ada.device.conversations.startGroup('Choir', [contact(bob), contact(cleo)]);
    await waitUntil(bob.device.conversations.list, (list) => list.some(({ title }) => title === 'Choir'));
    await bob.device.conversations.removeMember(group, idOf(bob));
    await ada.device.conversations.addMember(group, contact(bob));
    expect((await membersOf(ada, group)).sort()).toEqual([idOf(ada), idOf(cleo)].sort());
    expect(await ada.device.conversations.invited(group)).toMatchObject([{ user_id: idOf(bob), accepted: false }]);
    await ada.device.conversations.sendText(group, 'before');
    const { invitations } = await waitUntil(bob.device.contacts, (now) => now.invitations.length === 1);
    expect(invitations[0]).toMatchObject({ title: 'Choir', invited_by: { user_id: idOf(ada) } });
    const { conversationId, joined } = await bob.device.contacts.acceptInvitation(invitations[0]!.invitation_id);
    expect([conversationId, joined]).toEqual([group, false]);
    await until(async () => (await membersOf(ada, group)).includes(idOf(bob)));
    await ada.device.conversations.sendText(group, 'after');
    await waitUntil(bob.device.conversations.timeline(group), ({ messages }) =>
      messages.some(({ payload }) => payload.type === 'text' && payload.text === 'after'),
    );
    await waitUntil(bob.device.contacts, ({ invitations: left }) => left.length === 0);
    const texts = bob.device.conversations.timeline(group).getSnapshot().messages;
    expect(JSON.stringify(texts)).not.toContain('before');
  });

  it('AC-5 a group begins with contacts; a stranger in it is invited', async () => {
    const [bob, eve] = [await world.person(), await world.stranger()];
    const group = await ada.device.conversations.startGroup('Mixed', [contact(bob), contact(eve)]);
    expect((await membersOf(ada, group)).sort()).toEqual([idOf(ada), idOf(bob)].sort());
    const [invited] = await ada.device.conversations.invited(group);
    expect(invited).toMatchObject({ user_id: idOf(eve), accepted: false });
    await ada.device.conversations.withdrawInvitation(group, invited!.invitation_id);
    expect(await ada.device.conversations.invited(group)).toEqual([]);
  });

  it('AC-5 EE-20 attack: the server makes up that someone was invited and has accepted', async () => {
    const [bob, eve] = [await world.person(), await world.person()];
    const group = await ada.device.conversations.startGroup('Family', [contact(bob)]);
    const invitation = randomUUID();
    await world.server.editDatabase(`insert into group_invitations
      (id, conversation_id, account_id, inviter_id, heard, accepted_at)
      values ('${invitation}', '${group}', '${idOf(eve)}', '${idOf(ada)}', true, now())`);
    const payload = { conversation_id: group, invitation_id: invitation, user_id: idOf(eve) };
    await world.server.platform.events.send([contact(ada)], 'group.invitation_accepted', payload);
    // An event of later, which is handled after it.
    const carl = await world.person();
    await ada.device.conversations.addMember(group, contact(carl));
    await until(async () => (await membersOf(ada, group)).includes(idOf(carl)));
    await bob.device.conversations.sendText(group, 'hello');
    await waitUntil(ada.device.conversations.timeline(group), ({ messages }) => messages.length === 1);
    expect(await membersOf(ada, group)).not.toContain(idOf(eve));
    expect(await ada.device.conversations.invited(group)).toMatchObject([{ user_id: idOf(eve), accepted: true }]);
    // Its person may still say yes.
    await ada.device.conversations.addMember(group, contact(eve));
    expect(await membersOf(ada, group)).toContain(idOf(eve));
  });
});

describe('AC-6 blocking', () => {
  it('AC-6 what the blocked write, alone or in a group, is not shown, and nothing is reported as missing', async () => {
    const [bob, mallory] = [await world.person(), await world.person()];
    const chat = await mallory.device.conversations.startWithPerson(idOf(bob));
    const group = await bob.device.conversations.startGroup('Work', [contact(mallory), contact(ada)]);
    await waitUntil(mallory.device.conversations.list, (list) => list.some(({ title }) => title === 'Work'));
    await bob.device.contacts.block(idOf(mallory));
    expect(bob.device.contacts.getSnapshot().blocked).toMatchObject([{ user_id: idOf(mallory) }]);
    for (const conversation of [chat, group]) {
      const sent = await mallory.device.conversations.sendText(conversation, 'you again');
      expect(sent.state).toBe('sent');
    }
    await expect(bob.device.conversations.sendText(chat, 'no')).rejects.toMatchObject({ code: 'ACCOUNT_BLOCKED' });
    await ada.device.conversations.sendText(group, 'hello all');
    const timeline = bob.device.conversations.timeline(group);
    const { messages } = await waitUntil(timeline, (now) => now.messages.length > 0 && now.loaded);
    expect(messages.map(({ payload }) => payload)).toEqual([{ type: 'text', text: 'hello all' }]);
    await bob.device.contacts.unblock(idOf(mallory));
    await mallory.device.conversations.sendText(chat, 'sorry');
    const shown = await waitUntil(bob.device.conversations.timeline(chat), ({ messages: all }) =>
      all.some(({ own, payload }) => !own && payload.type === 'text' && payload.text === 'sorry'),
    );
    expect(shown.messages.filter(({ own }) => !own)).toHaveLength(1);
  });

  it('AC-6 attack: the blocked speak through an agent of theirs in a shared group', async () => {
    const [bob, mallory] = [await world.person(), await world.person()];
    const makeBot = async ({ device }: Person): Promise<Bot> => {
      const manifest = { ...MANIFEST, capability_flags: { supports_group_chat: true } };
      const bot = await startBot(world.server, device.api, { manifest });
      world.atEnd(() => bot.messenger.close());
      return bot;
    };
    const [inside, late, honest] = [await makeBot(mallory), await makeBot(mallory), await makeBot(ada)];
    const join = (group: string, { agentId }: Bot) =>
      ada.device.conversations.addMember(group, { kind: 'agent', id: agentId });
    const group = await ada.device.conversations.startGroup('Town', [contact(bob), contact(mallory)]);
    for (const bot of [inside, honest]) await join(group, bot);
    const heard = async (person: Person, text: string) => {
      const timeline = person.device.conversations.timeline(group);
      await waitUntil(timeline, ({ messages }) => JSON.stringify(messages).includes(text));
      return timeline.getSnapshot();
    };
    await inside.send(group, { type: 'text', text: 'before the block' });
    await heard(bob, 'before the block');
    await bob.device.contacts.block(idOf(mallory));
    await inside.send(group, { type: 'text', text: 'you again' });
    await inside.send(group, toolCall({ arguments: { text: 'you again' } }));
    // One that the device has never heard of: it comes after the block, from someone who is not blocked.
    await join(group, late);
    const stream = await late.messenger.stream(group);
    await stream.write('you again, as a stream');
    await waitUntil(ada.device.conversations.timeline(group), ({ streams }) => streams.length === 1);
    await stream.done();
    await late.send(group, { type: 'text', text: 'you again' });
    await honest.send(group, { type: 'text', text: 'good morning' });
    const shown = await heard(bob, 'good morning');
    expect(JSON.stringify(shown)).not.toContain('you again');
    expect(JSON.stringify(await heard(ada, 'good morning'))).toContain('you again');
    await bob.device.contacts.unblock(idOf(mallory));
    await late.send(group, { type: 'text', text: 'sorry' });
    await heard(bob, 'sorry');
  });

  it('AC-6 a device that was away while the block lasted reports no loss, except what is one', async () => {
    const [bob, mallory] = [await world.person(), await world.person()];
    const [chat, other] = [
      await mallory.device.conversations.startWithPerson(idOf(bob)),
      await ada.device.conversations.startWithPerson(idOf(bob)),
    ];
    const disk = createDisk();
    const phone = await world.secondDevice(bob, { store: disk.open() });
    const before = await approve(bob, phone.client);
    await mallory.device.conversations.sendText(chat, 'hello');
    await waitUntil(before.conversations.timeline(chat), ({ messages }) => messages.length === 1);
    await phone.client.close();

    await bob.device.contacts.block(idOf(mallory));
    await mallory.device.conversations.sendText(chat, 'you again');
    await bob.device.contacts.unblock(idOf(mallory));
    await mallory.device.conversations.sendText(chat, 'sorry');
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    const device = deviceOf(again.client);
    const timeline = device.conversations.timeline(chat);
    const { messages } = await waitUntil(timeline, (now) => JSON.stringify(now.messages).includes('sorry'));
    expect(JSON.stringify(messages)).not.toContain('you again');
    // A loss that is one is told as before.
    await again.client.close();
    for (const text of ['lost', 'kept']) await ada.device.conversations.sendText(other, text);
    await world.server.editDatabase(
      `update messages set envelope = null where conversation_id = '${other}' and seq = 1`,
    );
    const last = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => last.client.close());
    const { problems } = deviceOf(last.client);
    await waitUntil(problems, (noted) => noted.some(({ problem }) => problem.kind === 'gone'));
    const gone = [device.problems, problems].flatMap((list) => list.getSnapshot().map(({ problem }) => problem));
    expect(gone.filter(({ kind }) => kind === 'gone')).toEqual([{ kind: 'gone', conversationId: other }]);
  });
});
