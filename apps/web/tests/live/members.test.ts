import { describe, expect, it } from 'vitest';
import { fill, type Person, useWorld } from './harness/index.ts';

interface Row {
  kind: string;
  title: string | null;
  members: { kind: string; id: string; role: string; name: string }[];
}

/** The server lies to this browser about one conversation. */
async function lie({ page }: Person, conversationId: string, change: (row: Row) => void): Promise<void> {
  await page.route(`**/conversations/${conversationId}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const row = (await response.json()) as Row;
    change(row);
    await route.fulfill({ response, json: row });
  });
}

describe('EE-20 who is in a conversation is what was signed', () => {
  const world = useWorld();

  async function sessionOf(person: Person): Promise<{ token: string; id: string }> {
    const { body } = await world.server.call('POST', '/auth/login', { body: person.credentials });
    return { token: body.access_token, id: body.user_id };
  }

  async function startGroup(ada: Person, title: string, member: string): Promise<void> {
    const { conversations } = ada.words;
    await ada.button(conversations.start).click();
    await ada.page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await ada.page.getByLabel(conversations.groupName, { exact: true }).fill(title);
    await ada.page.getByRole('checkbox', { name: member, exact: true }).check();
    await ada.button(conversations.create).click();
    await ada.page.getByRole('heading', { name: title, exact: true }).waitFor();
  }

  it('EE-20 attack: a member whom nobody added is told apart, and reads nothing', async () => {
    const [ada, bob, eve] = [
      await world.signUp({ name: 'Ada' }),
      await world.signUp({ name: 'Bob' }),
      await world.signUp({ name: 'Eve' }),
    ];
    const { page, words } = ada;
    const { conversations } = words;
    const ghost = await sessionOf(eve);
    await startGroup(ada, 'Lunch', bob.name);
    const { conversationId } = ada;
    // Whoever runs the server writes into its database.
    await world.server.editDatabase(`
      insert into members (conversation_id, member_kind, member_id)
      values ('${conversationId}', 'human', '${ghost.id}')`);
    await eve.reload();
    await eve.page.getByRole('link', { name: /Lunch/ }).click();
    await ada.button(conversations.details).click();
    await ada.prompt.getByText(conversations.strangers, { exact: true }).waitFor();
    await ada.prompt.getByText(conversations.strangersLead, { exact: true }).waitFor();
    await ada.sees(ada.prompt.getByText(ghost.id, { exact: true }));
    await page.keyboard.press('Escape');
    await page.getByText(fill(conversations.strangersBar_one, { count: 1 }), { exact: true }).waitFor();
    const problem = fill(conversations.problem.members_one, { count: 1, name: 'Lunch' });
    await ada.sees(page.getByText(problem, { exact: true }));

    await ada.say('just the two of us');
    await bob.page.getByRole('link', { name: /Lunch/ }).click();
    await bob.thread.getByText('just the two of us', { exact: true }).waitFor();
    expect(await eve.thread.getByText('just the two of us', { exact: true }).count()).toBe(0);
  });

  it('EE-20 a group that nobody signed: nothing is sent until its owner has confirmed exactly those who are shown', async () => {
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { page, words } = ada;
    const { conversations } = words;
    const [own, other] = [await sessionOf(ada), await sessionOf(bob)];
    const { body: group } = await world.server.call('POST', '/conversations', {
      token: own.token,
      body: { kind: 'group', title: 'Choir', members: [{ kind: 'human', id: other.id }] },
    });
    await ada.open(`c/${group.conversation_id}`);
    await page.getByText(conversations.unsignedBarOwner, { exact: true }).waitFor();
    await bob.open(`c/${group.conversation_id}`);
    const waits = bob.page.getByText(conversations.unsignedBarMember, { exact: true });
    await waits.waitFor();

    await page.getByRole('button', { name: conversations.look, exact: true }).click();
    await ada.button(conversations.confirmMembers).click();
    const asked = page.getByRole('dialog', { name: conversations.confirmMembers, exact: true });
    await asked.getByText(other.id, { exact: true }).waitFor();
    expect(await asked.getByRole('listitem').count()).toBe(2);
    await asked
      .getByRole('button', { name: fill(conversations.confirmMembersDo_other, { count: 2 }), exact: true })
      .click();
    await ada.prompt.getByText(conversations.invite, { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => ada.prompt.count()).toBe(0);
    await ada.say('la la la');
    await bob.thread.getByText('la la la', { exact: true }).waitFor();
    await waits.waitFor({ state: 'detached' });
  });

  it('EE-20 attack: the members that the server names change while the owner reads: nothing is signed', async () => {
    const [ada, bob, eve] = [await world.signUp(), await world.signUp({ name: 'Bob' }), await world.signUp()];
    const { page, words } = ada;
    const { conversations } = words;
    const [own, other, ghost] = [await sessionOf(ada), await sessionOf(bob), await sessionOf(eve)];
    const { body: group } = await world.server.call('POST', '/conversations', {
      token: own.token,
      body: { kind: 'group', title: 'Choir', members: [{ kind: 'human', id: other.id }] },
    });
    await ada.open(`c/${group.conversation_id}`);
    await ada.button(conversations.details).click();
    await ada.button(conversations.confirmMembers).click();
    const asked = page.getByRole('dialog', { name: conversations.confirmMembers, exact: true });
    await asked.getByText(other.id, { exact: true }).waitFor();
    await lie(ada, group.conversation_id, ({ members }) => {
      members.push({ kind: 'human', id: ghost.id, role: 'member', name: 'Eve' });
    });
    await asked
      .getByRole('button', { name: fill(conversations.confirmMembersDo_other, { count: 2 }), exact: true })
      .click();
    await asked.getByRole('alert').waitFor();
    expect(await asked.getByText(ghost.id, { exact: true }).count()).toBe(0);
    const { body } = await world.server.call('GET', `/conversations/${group.conversation_id}/statements?after=0`, {
      token: own.token,
    });
    expect(body.statements).toEqual([]);
  });

  it('EE-20 attack: another person in the place of the one in a conversation of two: refused, and nothing is sent', async () => {
    const [ada, bob, eve] = [
      await world.signUp({ name: 'Ada' }),
      await world.signUp({ name: 'Bob' }),
      await world.signUp({ name: 'Eve' }),
    ];
    const { page, words } = ada;
    const { conversations } = words;
    const [other, ghost] = [await sessionOf(bob), await sessionOf(eve)];
    await ada.go(`people/${other.id}`);
    await ada.button(conversations.begin).click();
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor();
    const { conversationId } = ada;
    await lie(ada, conversationId, (row) => {
      for (const member of row.members)
        if (member.id === other.id) Object.assign(member, { id: ghost.id, name: 'Bob' });
    });
    await ada.reload();
    await ada.button(conversations.details).click();
    await ada.prompt.getByRole('alert').waitFor();
    // No safety number of someone else under Bob's name.
    expect(await ada.prompt.getByRole('img', { name: conversations.safetyQr, exact: true }).count()).toBe(0);
    expect(await ada.prompt.getByText(new RegExp(ghost.id)).count()).toBe(0);
    await page.keyboard.press('Escape');
    await ada.say('only for Bob');
    await page.getByText(new RegExp(conversations.failed)).first().waitFor();
    await ada.sees(page.getByText(fill(conversations.problem.row.conversation, { name: 'Bob' }), { exact: true }));
    expect(await eve.page.getByRole('link', { name: /Ada|Bob/ }).count()).toBe(0);
  });
});
