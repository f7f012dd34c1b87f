import { beforeAll, describe, expect, it } from 'vitest';
import { type Bot, expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

const BOT = 'Scribe';

/** Stands in for the notifications that a browser without a screen does not show. */
const withNotifications = async (context: Person['context']) => {
  await context.addInitScript(() => {
    const titles: string[] = [];
    const tab = { hidden: false };
    Object.assign(globalThis, { titles, tab });
    Object.defineProperty(document, 'visibilityState', { get: () => (tab.hidden ? 'hidden' : 'visible') });
    class Notification {
      static permission = 'granted';
      constructor(title: string) {
        titles.push(title);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification });
  });
};
const titles = ({ page }: Person) => page.evaluate(() => (globalThis as unknown as { titles: string[] }).titles);
const hide = ({ page }: Person, hidden: boolean) =>
  page.evaluate((value) => {
    (globalThis as unknown as { tab: { hidden: boolean } }).tab.hidden = value;
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

/** What the store of this browser holds: the names are not encrypted. */
const namesOnDisk = ({ page }: Person, prefix: string) =>
  page.evaluate(async (wanted) => {
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const stores = (await indexedDB.databases()).filter(({ name }) => name?.startsWith('parley-store/'));
    const names: unknown[] = [];
    for (const { name } of stores) {
      const db = await done(indexedDB.open(name!));
      names.push(...(await done(db.transaction('entries').objectStore('entries').getAllKeys())));
      db.close();
    }
    return names.filter((name) => String(name).startsWith(wanted));
  }, prefix);

describe('WC-40, WC-41, WC-42 the list of conversations', () => {
  const world = useWorld();
  let bot: Bot;
  beforeAll(async () => {
    bot = await world.bot({ name: BOT });
  });

  /** Someone with one conversation with the bot, at the list. */
  async function begin(options: Parameters<typeof world.signUp>[0] = {}) {
    const ada = await world.signUp(options);
    await ada.addAgent(bot.agentId, bot.name);
    const id = ada.conversationId;
    await ada.go('');
    const row = ada.page.getByRole('listitem').filter({ has: ada.page.getByRole('link', { name: new RegExp(BOT) }) });
    await row.waitFor();
    const menu = (name = BOT) => ada.button(fill(ada.words.conversations.manage.menu, { title: name }));
    /** By keyboard, as everyone can. */
    const choose = async (item: string) => {
      await menu().first().focus();
      await ada.page.keyboard.press('Enter');
      await ada.page.getByRole('menuitem', { name: item, exact: true }).press('Enter');
    };
    const say = (text: string) => bot.agent.send(id, { type: 'text', text });
    return { ada, id, row, menu, choose, say, words: ada.words.conversations };
  }

  it('WC-40 a row says what came last, how much is unread, and what was not sent; the title counts', async () => {
    const { ada, id, row, say, words } = await begin();
    const { page } = ada;
    expect(await page.title()).toBe('Parley');
    await say('**Good** morning\u202e, Ada\n\nHow are you?');
    await row.getByText('Good morning[U+202E], Ada How are you?', { exact: true }).waitFor();
    await say('Are you there?');
    await row.getByText(fill(words.unread_other, { count: 2 }), { exact: true }).waitFor();
    expect(await row.getByRole('link').locator('time').textContent()).toMatch(/\d/);
    expect(await row.getByText(BOT, { exact: true }).evaluate((one) => getComputedStyle(one).fontWeight)).toBe('700');
    await expect.poll(() => page.title()).toBe('(2) Parley');
    await row.getByRole('link').click();
    await expect.poll(() => page.title()).toBe('Parley');

    await ada.say('I am');
    await row.getByText(fill(words.preview.you, { text: 'I am' }), { exact: true }).waitFor();
    await bot.agent.sendArtifact(id, { subtype: 'status', title: 'Lunch', blocks: [] });
    await row.getByText(fill(words.preview.card, { text: 'Lunch' }), { exact: true }).waitFor();
    const call = bot.agent.callTool(id, 'send_notification', { title: 'x' }).catch(() => {});
    await row.getByText(words.preview.wanted.notification, { exact: true }).waitFor();
    await call;
    await page.getByRole('textbox', { name: words.write, exact: true }).fill('Half a thought');
    await ada.go('');
    await row.getByText(fill(words.preview.draft, { text: 'Half a thought' }), { exact: true }).waitFor();
  });

  it('WC-41 archived by keyboard, taken back, archived again; it returns with the next message', async () => {
    const { ada, row, choose, say, words } = await begin();
    const { page } = ada;
    await choose(words.manage.archive);
    await page.getByText(fill(words.manage.archivedDone, { title: BOT }), { exact: true }).waitFor();
    const undo = ada.button(ada.words.parts.undo.undo);
    await ada.sees(undo);
    await expect.poll(() => undo.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await undo.waitFor({ state: 'detached' });
    await ada.sees(row);

    await choose(words.manage.archive);
    // Said when it is on disk.
    await page.getByText(fill(words.manage.archivedDone, { title: BOT }), { exact: true }).waitFor();
    await page.getByText(fill(words.manage.archived, { count: 1 }), { exact: true }).click();
    await page.getByText(words.manage.archivedLead, { exact: true }).waitFor();
    await ada.reload();
    const archived = page.getByText(fill(words.manage.archived, { count: 1 }), { exact: true });
    await archived.waitFor();
    await say('Hello again');
    await archived.waitFor({ state: 'detached' });
    await ada.sees(row);
    await expect.poll(() => page.title()).toBe('(1) Parley');
  });

  it('WC-42 muted, neither a message nor a question notifies, and nothing is counted', async () => {
    const { ada, id, row, choose, say, words } = await begin({ prepare: withNotifications });
    const { page } = ada;
    await hide(ada, true);
    await say('A secret');
    await expect.poll(() => titles(ada)).toEqual([fill(ada.words.shell.newMessage, { name: BOT })]);
    await hide(ada, false);
    for (const [hours, text] of [
      [1, words.manage.mute_one],
      [8, words.manage.mute_other],
    ] as const) {
      await choose(fill(text, { count: hours }));
      await row.getByRole('img', { name: new RegExp(`^${words.manage.mutedUntil.split('{{')[0]}`) }).waitFor();
      await expect.poll(() => page.title()).toBe('Parley');
      await choose(words.manage.unmute);
      await expect.poll(() => page.title()).toBe('(1) Parley');
    }
    await choose(words.manage.muteAlways);
    await row.getByRole('img', { name: words.manage.muted, exact: true }).waitFor();
    await hide(ada, true);
    await say('Another one');
    await row.getByText('Another one', { exact: true }).waitFor();
    const location = bot.agent.callTool(id, 'read_location').catch(() => {});
    await location;
    expect(await page.title()).toBe('Parley');
    await choose(words.manage.unmute);
    await expect.poll(() => page.title()).toBe('(2) Parley');
    await say('The third');
    await expect.poll(() => titles(ada)).toHaveLength(2);
  });

  it('WC-41 deleted, it is gone from this device until something new comes, and its history does not come back', async () => {
    const { ada, id, row, menu, choose, say, words } = await begin();
    const { page } = ada;
    await say('Forget this');
    await row.getByText('Forget this', { exact: true }).waitFor();
    await choose(words.manage.delete);
    const dialog = page.getByRole('dialog', { name: fill(words.manage.deleteTitle, { title: BOT }), exact: true });
    await dialog.getByText(fill(words.manage.deleteLead.h2a, { title: BOT }), { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => menu().evaluate((one) => one === document.activeElement)).toBe(true);
    await choose(words.manage.delete);
    await dialog.getByRole('button', { name: words.manage.delete, exact: true }).click();
    await page.getByText(words.empty, { exact: true }).waitFor();
    // It is hidden before it is erased.
    await expect.poll(() => namesOnDisk(ada, `client/message/${id}/`)).toEqual([]);
    await ada.reload();
    await page.getByText(words.empty, { exact: true }).waitFor();
    await say('News');
    await row.getByText('News', { exact: true }).waitFor();
    await row.getByRole('link').click();
    await ada.thread.getByText('News', { exact: true }).waitFor();
    expect(await ada.thread.getByText('Forget this', { exact: true }).count()).toBe(0);

    // With the agent: from the header of the conversation.
    const section = page.getByRole('region', { name: BOT, exact: true });
    await section.getByRole('button', { name: fill(words.manage.menu, { title: BOT }), exact: true }).click();
    await page.getByRole('menuitem', { name: words.manage.delete, exact: true }).click();
    await page.getByRole('checkbox', { name: words.manage.removeToo, exact: true }).check();
    await dialog.getByRole('button', { name: words.manage.delete, exact: true }).click();
    await page.getByText(words.empty, { exact: true }).waitFor();
    await expect(say('Too late')).rejects.toThrow();
  });

  it('WC-41 a person is blocked and unblocked from the list; a group is left as it is deleted', async () => {
    const [ada, bob] = [await world.signUp({ name: 'Ada' }), await world.signUp({ name: 'Bob' })];
    const { page, words } = ada;
    const { conversations, contacts } = words;
    await ada.button(conversations.start).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Bob', exact: true }).click();
    await ada.say('hello');
    const menu = ada.page
      .getByRole('listitem')
      .getByRole('button', { name: fill(conversations.manage.menu, { title: 'Bob' }), exact: true });
    await menu.click();
    await page.getByRole('menuitem', { name: conversations.manage.block, exact: true }).click();
    const block = page.getByRole('dialog', { name: fill(contacts.blockLabel, { name: 'Bob' }), exact: true });
    await block.getByRole('button', { name: contacts.block, exact: true }).click();
    await page.getByText(fill(conversations.blockedBar, { name: 'Bob' }), { exact: true }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: conversations.manage.unblock, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: contacts.unblock, exact: true }).click();
    await page
      .getByText(fill(conversations.blockedBar, { name: 'Bob' }), { exact: true })
      .waitFor({ state: 'detached' });

    await bob.button(conversations.start).click();
    await bob.page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await bob.page.getByLabel(conversations.groupName, { exact: true }).fill('Lunch');
    await bob.page.getByRole('checkbox', { name: 'Ada', exact: true }).check();
    await bob.button(conversations.create).click();
    await bob.page.getByRole('heading', { name: 'Lunch', exact: true }).waitFor();
    await page.getByRole('link', { name: /Lunch/ }).click();
    await page
      .getByRole('region', { name: 'Lunch', exact: true })
      .getByRole('button', { name: fill(conversations.manage.menu, { title: 'Lunch' }), exact: true })
      .click();
    await page.getByRole('menuitem', { name: conversations.manage.delete, exact: true }).click();
    await page.getByRole('checkbox', { name: conversations.manage.leaveToo, exact: true }).check();
    await page.getByRole('dialog').getByRole('button', { name: conversations.manage.delete, exact: true }).click();
    await page.getByRole('link', { name: /Lunch/ }).waitFor({ state: 'detached' });
    await bob.say('where is everyone?');
    await bob.button(conversations.details).click();
    await bob.prompt.getByText(fill(conversations.members_one, { count: 1 }), { exact: true }).waitFor();
  });

  it('WC-41, HS-10 the list, its menu, its questions and what is archived are for everyone', async () => {
    const { ada, menu, choose, say, words } = await begin(withAxe);
    const { page } = ada;
    await say(`A long line ${'of many words '.repeat(40)}`);
    await choose(words.manage.muteAlways);
    await expectForEveryone(ada, 'a list');
    await menu().click();
    await page.getByRole('menuitem', { name: words.manage.unmute, exact: true }).waitFor();
    await expectForEveryone(ada, 'the menu of a conversation');
    await page.keyboard.press('Escape');
    await choose(words.manage.delete);
    await page.getByRole('dialog').waitFor();
    await expectForEveryone(ada, 'deleting a conversation');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await choose(words.manage.archive);
    await page.getByText(fill(words.manage.archived, { count: 1 }), { exact: true }).click();
    await page.getByText(words.manage.archivedLead, { exact: true }).waitFor();
    await expectForEveryone(ada, 'archived conversations');
  });
});
