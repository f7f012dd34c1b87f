import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

describe('HS-10 for everyone: other people, and oneself', () => {
  const world = useWorld();
  let ada: Person;

  beforeAll(async () => {
    ada = await world.signUp(withAxe);
  });
  afterAll(() => ada?.close());

  it('HS-10 beginning a conversation, with a code that is none, and nobody there', async () => {
    const { page, words } = ada;
    const { conversations, contacts } = words;
    await ada.button(conversations.start).click();
    await page.getByRole('img', { name: contacts.qr, exact: true }).waitFor();
    await expectForEveryone(ada, 'with a person');
    await page.getByLabel(contacts.code, { exact: true }).fill('no code');
    await ada.button(contacts.ask).click();
    const wrong = ada.prompt.getByRole('alert').getByText(contacts.codeWrong, { exact: true });
    await wrong.waitFor();
    await expectForEveryone(ada, 'no code');
    await page.getByLabel(contacts.code, { exact: true }).fill('0000-0000-0000');
    await ada.button(contacts.ask).click();
    await wrong.waitFor({ state: 'detached' });
    await ada.prompt.getByText(contacts.asked, { exact: true }).waitFor();
    await expectForEveryone(ada, 'asked');
    await page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await page.getByText(conversations.noContactsForGroups, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a group');
    await page.keyboard.press('Escape');
    await ada.prompt.waitFor({ state: 'detached' });
  });

  it('HS-10 a group, who is in it, the ways out; a file too large; what is found', async () => {
    const bob = await world.signUp({ name: 'Bob with a name that is longer than any line of a phone' });
    const { page, words } = ada;
    const { conversations } = words;
    const { body: session } = await world.server.call('POST', '/auth/login', { body: bob.credentials });
    const { body: me } = await world.server.call('GET', '/auth/me', { token: session.access_token });
    await ada.button(conversations.start).click();
    await page.getByRole('tab', { name: conversations.newGroup, exact: true }).click();
    await page.getByLabel(conversations.groupName, { exact: true }).fill('Lunch');
    await page.getByRole('checkbox', { name: bob.name, exact: true }).check();
    await expectForEveryone(ada, 'a group with someone');
    await ada.button(conversations.create).click();
    await page.getByRole('heading', { name: 'Lunch', exact: true }).waitFor();
    await ada.button(conversations.details).click();
    await ada.button(fill(conversations.removeLabel, { name: bob.name })).waitFor();
    await expectForEveryone(ada, 'about a group');
    for (const way of ['erase', 'leave'] as const) {
      await ada.prompt.getByRole('button', { name: conversations[way], exact: true }).click();
      await page.getByRole('dialog', { name: conversations[way], exact: true }).waitFor();
      await expectForEveryone(ada, way);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: conversations[way], exact: true }).waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Escape');
    await ada.prompt.waitFor({ state: 'detached' });

    const chosen = page.waitForEvent('filechooser');
    await ada.button(conversations.attach).click();
    await (await chosen).setFiles({ name: 'large.bin', mimeType: 'text/plain', buffer: Buffer.alloc(300_000) });
    await page.getByText(conversations.tooLarge, { exact: true }).waitFor();
    await ada.say('where shall we eat?');
    await ada.thread.getByText('where shall we eat?', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(conversations.sending, { exact: true }).count()).toBe(0);
    await expectForEveryone(ada, 'a file too large');
    await page.getByRole('searchbox').fill('eat');
    await page.getByText(fill(conversations.found_one, { count: 1 }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'found');
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText(fill(conversations.found_other, { count: 0 }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'not found');

    await bob.page.getByRole('link', { name: /Lunch/ }).click();
    await ada.go(`people/${me.user_id}`);
    await ada.button(conversations.begin).click();
    await page.getByRole('heading', { name: bob.name, exact: true }).waitFor();
    await ada.button(conversations.details).click();
    await ada.prompt.getByRole('img', { name: conversations.safetyQr, exact: true }).waitFor();
    await expectForEveryone(ada, 'about a person');
    await page.keyboard.press('Escape');
  });

  it('HS-10, EE-17 devices: one that waits, a code that does not fit, the questions before', async () => {
    const phone = await world.arrive({ ...withAxe, email: ada.email });
    await phone.signIn();
    const code = await phone.waitingCode();
    const { page, words } = ada;
    const { devices } = words.settings;
    const [{ approve, keep, remove }, rotate] = [devices, devices.rotate];
    const first = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
    await ada.go('settings');
    await first(approve).click();
    await page.getByLabel(devices.code, { exact: true }).fill('00000 00000 00000 00000 00000');
    await ada.prompt.getByRole('button', { name: approve, exact: true }).click();
    await ada.prompt.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'a wrong code');
    await page.getByLabel(devices.code, { exact: true }).fill(code);
    await page.getByLabel(devices.keepToo, { exact: true }).uncheck();
    await ada.prompt.getByRole('button', { name: approve, exact: true }).click();
    await ada.prompt.waitFor({ state: 'detached' });
    for (const question of [keep, remove, rotate, words.settings.forget]) {
      await first(question).click();
      await ada.prompt.waitFor();
      await expectForEveryone(ada, question);
      await page.keyboard.press('Escape');
      await ada.prompt.waitFor({ state: 'detached' });
    }
    await phone.atHome();
    await phone.go('settings');
    await phone.page.getByText(devices.noKeeper, { exact: true }).waitFor();
    await expectForEveryone(phone, 'a device that is no keeper');
  });

  it('HS-10, EE-17 the recovery secret: above every page, in the settings, and when it is saved', async () => {
    const { page, words } = ada;
    const { recovery } = words.shell;
    await ada.readRecoverySecret();
    await expectForEveryone(ada, 'the recovery secret');
    await page.keyboard.press('Escape');
    await expect.poll(() => ada.prompt.count()).toBe(0);
    await ada.go('settings');
    await page.getByTestId('recovery-secret').waitFor();
    await page.getByLabel(recovery.kept, { exact: true }).check();
    await ada.button(recovery.done).click();
    await page.getByText(words.settings.recovery.saved, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a recovery secret that was saved');
  });

  it('HS-10, EE-16 an account that has no device yet', async () => {
    const eve = await world.arrive(withAxe);
    const account = { ...eve.credentials, display_name: eve.name };
    await world.server.call('POST', '/auth/register', { body: account });
    await eve.signIn();
    await eve.button(eve.words.signIn.found).waitFor();
    await expectForEveryone(eve, 'an account that has no device yet');
  });

  it('HS-10 the rest of the settings: refused, done, asked before', async () => {
    const { page, words } = ada;
    const { password, data } = words.settings;
    await ada.go('settings');
    await page.getByLabel(password.current, { exact: true }).fill('not the password');
    await page.getByLabel(password.next, { exact: true }).fill('correct horse battery staple');
    await ada.button(password.change).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'a password that is wrong');
    await ada.button(data.delete).click();
    await page.getByLabel(data.confirm, { exact: true }).fill('not the password');
    await ada.prompt.getByRole('button', { name: data.delete, exact: true }).click();
    await ada.prompt.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'deleting the account');
    await page.keyboard.press('Escape');
    await ada.prompt.waitFor({ state: 'detached' });
  });

  it('HS-10 a program that asks to be signed in: no such code, the question, the answer', async () => {
    const { page, words } = ada;
    await ada.go('device?user_code=ABCDEFGH');
    await ada.button(words.deviceFlow.look).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'no such code');
    const { body } = await world.server.call('POST', '/auth/device/code', { body: { client_name: 'Terminal' } });
    await page.getByLabel(words.deviceFlow.code, { exact: true }).fill(body.user_code);
    await ada.button(words.deviceFlow.look).click();
    await ada.button(words.deviceFlow.approve).waitFor();
    await expectForEveryone(ada, 'a program asks');
    await ada.button(words.deviceFlow.approve).click();
    await page.getByText(words.deviceFlow.approved, { exact: true }).waitFor();
    await expectForEveryone(ada, 'approved');
  });
});
