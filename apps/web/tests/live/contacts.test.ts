import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

describe('AC-4 AC-5 AC-6 AC-7 contacts in the browser', () => {
  const world = useWorld();
  let ada: Person;
  beforeAll(async () => {
    ada = await world.signUpStranger({ name: 'Ada', ...withAxe });
  });
  afterAll(() => ada?.close());

  const codeOf = async (person: Person) => {
    await person.go('contacts');
    const code = person.page.locator('code').first();
    await code.waitFor();
    return (await code.textContent())!;
  };

  it.each(['en', 'zh-CN'] as const)(
    'AC-4 a request by code is accepted, another declined, and the asker is told nothing of it (%s)',
    async (language) => {
      const [bob, eve] = [
        await world.signUpStranger({ name: 'Bob', language, ...withAxe }),
        await world.signUpStranger({ name: 'Eve' }),
      ];
      const { contacts } = bob.words;
      const code = await codeOf(bob);
      for (const asker of [ada, eve]) {
        await asker.go('contacts');
        await asker.page.getByLabel(asker.words.contacts.code, { exact: true }).fill(code.toLowerCase());
        await asker.button(asker.words.contacts.ask).click();
        await asker.page.getByText(asker.words.contacts.asked, { exact: true }).waitFor();
      }
      await bob.button(fill(contacts.declineLabel, { name: 'Eve' })).waitFor();
      await bob.button(fill(contacts.acceptLabel, { name: 'Ada' })).waitFor();
      await expectForEveryone(bob, 'requests');
      await bob.button(fill(contacts.declineLabel, { name: 'Eve' })).click();
      await bob.button(fill(contacts.declineLabel, { name: 'Eve' })).waitFor({ state: 'detached' });
      await bob.button(fill(contacts.acceptLabel, { name: 'Ada' })).click();
      await bob.page.getByRole('heading', { name: 'Ada', exact: true }).waitFor();
      await bob.say('hello Ada');
      await ada.page.getByRole('link', { name: ada.words.shell.nav.conversations, exact: true }).first().click();
      await ada.page.getByRole('link', { name: /Bob/ }).first().click();
      await ada.thread.getByText('hello Ada', { exact: true }).waitFor();
      await eve.sees(eve.page.getByText(fill(eve.words.contacts.byCode, { code }), { exact: true }));
      expect(await eve.button(fill(eve.words.contacts.writeLabel, { name: 'Bob' })).count()).toBe(0);
    },
  );

  it('AC-7 the own code is replaced, and the old link says the same as ever', async () => {
    const bob = await world.signUpStranger({ name: 'Bob', ...withAxe });
    const { contacts } = bob.words;
    const old = await codeOf(bob);
    await bob.button(contacts.replace).click();
    const dialog = bob.page.getByRole('dialog', { name: contacts.replace, exact: true });
    await dialog.waitFor();
    await expectForEveryone(bob, 'replace the code');
    await dialog.getByRole('button', { name: contacts.replace, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => codeOf(bob)).not.toBe(old);
    await ada.go(`contact/${old}`);
    await ada.page.getByText(old, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a contact link');
    await ada.button(ada.words.contacts.ask).click();
    await ada.page.getByText(ada.words.contacts.asked, { exact: true }).waitFor();
    await bob.go('settings');
    await bob.page.getByRole('heading', { level: 1, name: bob.words.settings.title, exact: true }).waitFor();
    await bob.go('contacts');
    await bob.page.getByText(contacts.noRequests, { exact: true }).waitFor();
  });

  it('AC-6 someone is blocked and unblocked; what they write meanwhile does not come', async () => {
    const [bob, mallory] = [await world.signUp({ name: 'Bob', ...withAxe }), await world.signUp({ name: 'Mallory' })];
    const { contacts, conversations } = bob.words;
    await bob.go('contacts');
    await bob.button(fill(contacts.writeLabel, { name: 'Mallory' })).click();
    await bob.page.getByRole('heading', { name: 'Mallory', exact: true }).waitFor();
    await bob.say('hello');
    await mallory.page.getByRole('link', { name: /Bob/ }).click();
    await mallory.thread.getByText('hello', { exact: true }).waitFor();
    await bob.button(conversations.details).click();
    await bob.button(fill(contacts.blockLabel, { name: 'Mallory' })).click();
    const asked = bob.page.getByRole('dialog', { name: fill(contacts.blockLabel, { name: 'Mallory' }), exact: true });
    await asked.waitFor();
    await expectForEveryone(bob, 'block');
    await asked.getByRole('button', { name: contacts.block, exact: true }).click();
    await asked.waitFor({ state: 'detached' });
    await bob.page.keyboard.press('Escape');
    await bob.page.getByText(fill(conversations.blockedBar, { name: 'Mallory' }), { exact: true }).waitFor();
    await mallory.say('are you there?');
    await mallory.thread.getByText('are you there?', { exact: true }).waitFor();
    await expect.poll(() => mallory.page.getByText(conversations.sending, { exact: true }).count()).toBe(0);
    await bob.go('settings');
    const unblock = bob.button(fill(contacts.unblockLabel, { name: 'Mallory' }));
    await unblock.click();
    await bob.button(contacts.unblock).last().click();
    await unblock.waitFor({ state: 'detached' });
    await mallory.say('sorry');
    await bob.go('');
    await bob.page.getByRole('link', { name: /Mallory/ }).click();
    await bob.thread.getByText('sorry', { exact: true }).waitFor();
    expect(await bob.thread.getByText('are you there?', { exact: true }).count()).toBe(0);
  });

  it('AC-5 whoever left a group is invited, accepts, and is in it again', async () => {
    const [host, bob, cleo] = [
      await world.signUp({ name: 'Host', ...withAxe }),
      await world.signUp({ name: 'Bob', ...withAxe }),
      await world.signUp({ name: 'Cleo' }),
    ];
    const { conversations, contacts } = host.words;
    await host.button(conversations.start).click();
    await host.page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await host.page.getByLabel(conversations.groupName, { exact: true }).fill('Choir');
    for (const one of [bob, cleo]) await host.page.getByRole('checkbox', { name: one.name, exact: true }).check();
    await host.button(conversations.create).click();
    await host.page.getByRole('heading', { name: 'Choir', exact: true }).waitFor();
    await bob.page.getByRole('link', { name: /Choir/ }).click();
    await bob.button(conversations.details).click();
    await bob.prompt.getByRole('button', { name: conversations.leave, exact: true }).click();
    await bob.page
      .getByRole('dialog', { name: conversations.leave, exact: true })
      .getByRole('button', { name: conversations.leave, exact: true })
      .click();
    await bob.page.getByRole('dialog').waitFor({ state: 'detached' });
    await host.button(conversations.details).click();
    await host.prompt.getByRole('checkbox', { name: 'Bob', exact: true }).check();
    await host.prompt.getByRole('button', { name: conversations.invite, exact: true }).click();
    await host.button(fill(conversations.withdrawLabel, { name: 'Bob' })).waitFor();
    await expectForEveryone(host, 'invited');
    await bob.page.getByRole('link', { name: fill(contacts.waiting_one, { count: 1 }), exact: true }).click();
    await bob.button(fill(contacts.acceptLabel, { name: 'Choir' })).waitFor();
    const row = bob.page.getByRole('listitem').filter({ hasText: 'Choir' });
    await row.getByRole('button', { name: fill(contacts.blockLabel, { name: 'Host' }), exact: true }).waitFor();
    await expectForEveryone(bob, 'an invitation');
    // As long as the device that invited him is away, Bob waits and can take it back.
    const address = host.page.url();
    await host.page.goto('about:blank');
    await bob.button(fill(contacts.acceptLabel, { name: 'Choir' })).click();
    await bob.page.getByText(contacts.joinWaits, { exact: true }).waitFor();
    const takeBack = bob.button(fill(contacts.takeBackLabel, { name: 'Choir' }));
    await takeBack.waitFor();
    await expectForEveryone(bob, 'accepted');
    await host.page.goto(address);
    await takeBack.waitFor({ state: 'detached' });
    await host.page.getByRole('heading', { name: 'Choir', exact: true }).waitFor();
    await host.say('welcome back');
    await bob.go('');
    await bob.page.getByRole('link', { name: /Choir/ }).click();
    await bob.thread.getByText('welcome back', { exact: true }).waitFor();
  });
});
