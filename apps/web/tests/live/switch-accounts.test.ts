import { describe, expect, it } from 'vitest';
import {
  expectForEveryone,
  fill,
  type Person,
  useWorld,
  WEB_SCOPE,
  withAxe,
  withEndlessOffers,
} from './harness/index.ts';

const PHONE = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const phoneName = 'Firefox · Android';

const accountsOf = ({ page, words }: Person) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: words.signIn.accounts.title, exact: true }) })
    .getByRole('listitem');

/** Signs in to any account at this browser. */
async function enter(at: Person, who: { email: string; account_password: string }): Promise<void> {
  const { page, words } = at;
  await page.getByLabel(words.signIn.email, { exact: true }).fill(who.email);
  await page.getByLabel(words.signIn.password, { exact: true }).fill(who.account_password);
  await at.button(words.signIn.submit).click();
}

/** Creates another account at this browser. */
async function create(at: Person, name: string): Promise<{ email: string; account_password: string }> {
  const { page, words } = at;
  const who = { email: `${crypto.randomUUID()}@example.org`, account_password: 'correct horse battery' };
  await at.button(words.signIn.toCreate).click();
  await page.getByLabel(words.signIn.name, { exact: true }).fill(name);
  await page.getByLabel(words.signIn.email, { exact: true }).fill(who.email);
  await page.getByLabel(words.signIn.password, { exact: true }).fill(who.account_password);
  await at.button(words.signIn.create).click();
  await at.atHome();
  return who;
}

async function leave(at: Person): Promise<void> {
  await at.go('settings');
  await at.button(at.words.settings.accounts.change).click();
  await at.button(at.words.signIn.submit).waitFor();
}

/** Removes the phone of this person. */
async function remove(ada: Person, phone: Person): Promise<void> {
  const { devices } = ada.words.settings;
  await ada.go('settings');
  await ada.button(fill(devices.removeTitle, { name: phoneName })).click();
  await ada.prompt.getByRole('button', { name: devices.remove, exact: true }).click();
  await phone.button(phone.words.signIn.submit).waitFor();
  await ada.prompt.waitFor({ state: 'detached' });
}

describe('WC-3 several accounts in one browser', () => {
  const world = useWorld();

  it('WC-3 a second account after signing out just works; each finds its own messages again', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    await ada.say('Written by Ada');
    await ada.thread.getByText('Written by Ada', { exact: true }).waitFor();
    await expect.poll(() => ada.thread.getByText(ada.words.conversations.sending, { exact: true }).count()).toBe(0);
    const first = ada.conversationId;
    await leave(ada);
    await ada.sees(accountsOf(ada).getByText('Ada', { exact: true }));
    await expectForEveryone(ada, 'signing in, with an account that is known here');

    const bea = await create(ada, 'Bea');
    await ada.page.getByText(ada.words.conversations.empty, { exact: true }).waitFor();
    await ada.go('settings');
    await ada.page.getByText(ada.words.settings.accounts.others, { exact: true }).waitFor();
    await ada.sees(ada.page.getByText('Ada', { exact: true }));
    await expectForEveryone(ada, 'settings with two accounts');

    await leave(ada);
    await expect.poll(() => accountsOf(ada).allTextContents()).toEqual(['Ada', 'Bea']);
    await accountsOf(ada).getByRole('button', { name: 'Ada', exact: true }).click();
    const title = fill(ada.words.signIn.accounts.signInAs, { name: 'Ada' });
    await ada.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    const email = ada.page.getByLabel(ada.words.signIn.email, { exact: true });
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
    await enter(ada, ada.credentials);
    await ada.atHome();
    await ada.go(`c/${first}`);
    await ada.thread.getByText('Written by Ada', { exact: true }).waitFor();
    // As it was: no device that has to be let in, also after a reload.
    await ada.reload();
    await ada.thread.getByText('Written by Ada', { exact: true }).waitFor();

    await leave(ada);
    await enter(ada, bea);
    await ada.atHome();
    await ada.page.getByText(ada.words.conversations.empty, { exact: true }).waitFor();
    await ada.reload();
    await ada.page.getByText(ada.words.conversations.empty, { exact: true }).waitFor();
  });

  it('WC-3 attack: of what the first account has read from the server, the second one is shown nothing', async () => {
    const ada = await world.signUp();
    await ada.go('settings');
    await ada.sees(ada.page.getByText(ada.email, { exact: true }));
    await leave(ada);
    const bea = await create(ada, 'Bea');
    await ada.go('settings');
    await ada.sees(ada.page.getByText(bea.email, { exact: true }));
    expect(await ada.page.getByText(ada.email, { exact: true }).count()).toBe(0);
  });

  it('WC-3 an account that is signed out is forgotten after a warning in two steps, and nothing of it is left', async () => {
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    const { words } = ada;
    await leave(ada);
    await create(ada, 'Bea');
    await leave(ada);
    await ada.button(fill(words.signIn.accounts.forgetLabel, { name: 'Ada' })).click();
    await ada.prompt.getByText(words.signIn.accounts.forgetLast, { exact: true }).waitFor();
    // Nobody has saved it yet.
    await ada.sees(ada.prompt.getByText(words.signIn.accounts.forgetSecret, { exact: true }));
    const forget = ada.prompt.getByRole('button', { name: words.signIn.accounts.forget, exact: true });
    expect(await forget.isDisabled()).toBe(true);
    await expectForEveryone(ada, 'the warning before an account is forgotten');
    await ada.prompt.getByLabel(words.signIn.accounts.forgetSure, { exact: true }).check();
    await forget.click();
    await expect.poll(() => accountsOf(ada).allTextContents()).toEqual(['Bea']);
    // It is off the list before the other account’s keys are open again, and only then its database goes.
    const left = () => ada.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    await expect.poll(left).toHaveLength(1);

    // Whoever signs in to it again is at a new device.
    await enter(ada, ada.credentials);
    await ada.waitingCode();
  });

  it('WC-3 two tabs where nobody has signed in: each gets its account, with keys of its own', async () => {
    const ada = await world.arrive();
    await ada.open();
    const tab = await ada.openTab();
    await tab.sees(tab.button(tab.words.signIn.toCreate));
    await ada.signUp();
    // No question whether it is the first device: the account was made here (EE-16).
    const bea = await create(tab, 'Bea');
    await ada.page.getByRole('heading', { level: 1, name: ada.words.signIn.lost.title, exact: true }).waitFor();
    await leave(tab);
    await expect.poll(() => accountsOf(tab).allTextContents()).toEqual(['Ada', 'Bea']);
    await enter(tab, ada.credentials);
    await tab.atHome();
    await leave(tab);
    await enter(tab, bea);
    await tab.atHome();
  });

  it('WC-3 a tab where nobody has signed in goes on with what another one began, which is closed', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive();
    await ada.open();
    const tab = await ada.openTab();
    await tab.sees(tab.button(tab.words.signIn.submit));
    await ada.signUp();
    await ada.page.close();
    await enter(tab, ada.credentials);
    await tab.atHome();
    await tab.addAgent(bot.agentId, bot.name);
    await tab.say('Hello');
    await tab.thread.getByText('Hello', { exact: true }).waitFor();
    await expect.poll(() => tab.thread.getByText(tab.words.conversations.sending, { exact: true }).count()).toBe(0);
  });

  it('WC-3 attack: what one account did a moment ago cannot be undone by the next', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.arrive(withEndlessOffers);
    await ada.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    await ada.go(`agents/${bot.agentId}`);
    await ada.page.getByRole('switch', { name: WEB_SCOPE, exact: true }).click();
    const offers = ada.page.getByRole('region', { name: ada.words.parts.undo.region, exact: true }).getByRole('button');
    await offers.first().waitFor();
    await leave(ada);
    await create(ada, 'Bea');
    expect(await offers.count()).toBe(0);
  });
});

describe('WC-4 a device that was removed', () => {
  const world = useWorld();

  it('WC-4 is told while it is open, also after a reload; it gets new keys, is let in as a new device, and keeps its messages', async () => {
    const bot = await world.bot({ name: 'Helper' });
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name);
    const first = ada.conversationId;
    const phone = await world.arrive({ ...withAxe, email: ada.email, userAgent: PHONE });
    await ada.letIn(phone);
    await phone.go(`c/${first}`);
    await phone.say('From the phone');
    await phone.thread.getByText('From the phone', { exact: true }).waitFor();
    await expect.poll(() => phone.thread.getByText(phone.words.conversations.sending, { exact: true }).count()).toBe(0);
    const { words } = phone;
    await remove(ada, phone);
    await phone.page.getByText(words.signIn.signedOut.revoked, { exact: true }).waitFor();
    await expectForEveryone(phone, 'signing in at a device that was removed');
    await phone.reload();
    await phone.page.getByText(words.signIn.signedOut.revoked, { exact: true }).waitFor();

    await enter(phone, ada.credentials);
    await phone.page.getByRole('heading', { name: words.signIn.removed.title, exact: true }).waitFor();
    await phone.sees(phone.page.getByText(words.signIn.removed.goes, { exact: true }));
    expect(await phone.page.getByText(words.signIn.removed.unsigned, { exact: true }).count()).toBe(0);
    await expectForEveryone(phone, 'a device that was removed and signed in again');
    await phone.reload();
    await phone.button(words.signIn.removed.renew).click();
    const code = await phone.waitingCode();
    await phone.sees(phone.page.getByText(words.signIn.removed.stays, { exact: true }));
    expect(await phone.page.getByText(words.signIn.noHistory, { exact: true }).count()).toBe(0);
    await ada.approve(code);
    await phone.sees(phone.thread.getByText('From the phone', { exact: true }));
    await phone.say('Here again');
    await expect.poll(() => phone.thread.getByText(words.conversations.sending, { exact: true }).count()).toBe(0);
    await ada.go(`c/${first}`);
    await ada.thread.getByText('Here again', { exact: true }).waitFor();
    // A new device, beside which the old one is not any more.
    await ada.go('settings');
    const title = ada.page.getByRole('heading', { name: ada.words.settings.devices.title, exact: true });
    await expect.poll(() => ada.page.locator('section').filter({ has: title }).getByRole('listitem').count()).toBe(2);
  });

  it('WC-4 what only the server says has to be confirmed before the keys are replaced', async () => {
    const ada = await world.signUp();
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone, { keeper: false });
    // The server shuts it out, and no device has signed that.
    const { body } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    const { body: list } = await world.server.call('GET', '/devices', { token: body.access_token });
    const { device_id } = list.devices.find(({ name }: { name: string }) => name === phoneName);
    await ada.page.close();
    await world.server.call('DELETE', `/devices/${device_id}`, { token: body.access_token });
    const { signIn } = phone.words;
    await phone.page.getByText(signIn.signedOut.revoked, { exact: true }).waitFor();
    await enter(phone, ada.credentials);
    await phone.page.getByText(signIn.removed.unsigned, { exact: true }).waitFor();
    expect(await phone.button(signIn.removed.renew).isDisabled()).toBe(true);
    await phone.page.getByLabel(signIn.removed.sure, { exact: true }).check();
    await phone.button(signIn.removed.renew).click();
    await phone.waitingCode();
  });

  it('WC-4 a session that was ended elsewhere says so, and everything is there after signing in', async () => {
    const ada = await world.signUp();
    const { body } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    const { body: list } = await world.server.call('GET', '/auth/sessions', { token: body.access_token });
    const other = list.sessions.find(({ current }: { current: boolean }) => !current);
    await world.server.call('DELETE', `/auth/sessions/${other.session_id}`, { token: body.access_token });
    await ada.page.getByText(ada.words.signIn.signedOut.ended, { exact: true }).waitFor();
    await enter(ada, ada.credentials);
    await ada.atHome();
    await ada.reload();
    await ada.atHome();
  });
});
