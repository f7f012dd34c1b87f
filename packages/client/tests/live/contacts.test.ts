import { randomUUID } from 'node:crypto';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../../src/index.ts';
import type { Person } from './rig.ts';
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
});
