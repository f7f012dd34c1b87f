import { startTestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { ensureSite, expectForEveryone, fill, type Person, startPost, useWorld, withAxe } from './harness/index.ts';

const NEXT = 'ada@new.example';

async function openEmail(ada: Person): Promise<void> {
  await ada.go('settings');
  await ada.button(ada.words.settings.profile.changeEmail).click();
  await ada.prompt.waitFor();
}

async function fillEmail(ada: Person, email: string, password: string): Promise<void> {
  const { profile } = ada.words.settings;
  await ada.prompt.getByLabel(profile.newEmail, { exact: true }).fill(email);
  await ada.prompt.getByLabel(profile.password, { exact: true }).fill(password);
  await ada.prompt.getByRole('button', { name: profile.change, exact: true }).click();
}

describe('WC-5, AC-10 the profile', () => {
  const world = useWorld();

  it('WC-5 AC-10 the name is changed, contacts see the new one, and what is hidden in it is shown', async () => {
    const bob = await world.signUp({ name: 'Bob' });
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    await world.server.editDatabase(
      `insert into contacts (account_id, contact_id) select a.id, b.id from accounts a, accounts b
        where a.email = '${bob.email}' and b.email = '${ada.email}'`,
    );
    const { page, words } = ada;
    const { profile } = words.settings;
    await ada.go('settings');
    const name = page.getByLabel(profile.name, { exact: true });
    await ada.sees(name);
    expect(await name.inputValue()).toBe('Ada');
    expect(await ada.button(profile.save).isDisabled()).toBe(true);
    await name.fill('Ada\u202eevoL');
    await page.getByText(fill(profile.shownAs, { name: 'Ada[U+202E]evoL' }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'the profile with a name that hides something');
    await name.fill('Ada Lovelace');
    const unsaved = page.getByRole('status').filter({ hasText: words.parts.unsaved.since.split('{{time}}')[0]! });
    await ada.sees(unsaved);
    await ada.button(profile.save).click();
    // The button is disabled while it is on its way, too.
    await unsaved.waitFor({ state: 'detached' });
    await expect.poll(() => ada.button(profile.save).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await bob.go('contacts');
    await bob.page.getByText('Ada Lovelace', { exact: true }).first().waitFor();
    // This browser knows the account by its new name, too.
    await ada.button(words.settings.accounts.change).click();
    await page.getByText('Ada Lovelace', { exact: true }).waitFor();
  });

  it('WC-5 AC-10 without e-mail the address changes with the password; the wrong one changes nothing', async () => {
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    const { page, words } = ada;
    const next = `${crypto.randomUUID()}@new.example`;
    await openEmail(ada);
    await expectForEveryone(ada, 'changing the e-mail address');
    await fillEmail(ada, next, 'not this one');
    await ada.prompt.getByRole('alert').waitFor();
    await fillEmail(ada, next, ada.credentials.account_password);
    await ada.prompt.waitFor({ state: 'detached' });
    await page.getByText(next, { exact: true }).waitFor();
    await page.getByText(words.settings.notices.email_changed, { exact: true }).waitFor();
    const login = (email: string) => world.server.call('POST', '/auth/login', { body: { ...ada.credentials, email } });
    expect((await login(ada.email)).status).toBe(401);
    expect((await login(next)).status).toBe(200);
  });

  it('WC-5 AC-10 with e-mail, the new address is confirmed by a code, and the old one is told; a lost password is told how', async () => {
    const post = await startPost();
    const { databaseUrl, tokenSecret, storageSecret } = world.server.config;
    const shared = { databaseUrl, tokenSecret, storageSecret };
    const mailing = await startTestServer({ ...shared, smtpUrl: post.url, webRoot: await ensureSite() });
    const ada = await world.signUpStranger();
    const later = await world.arrive({ ...withAxe, at: mailing.url, email: ada.email });
    await ada.letIn(later);
    const { profile, lostPassword } = later.words.settings;
    await openEmail(later);
    await fillEmail(later, NEXT, ada.credentials.account_password);
    await later.prompt.getByText(profile.codeSent, { exact: true }).waitFor();
    await expectForEveryone(later, 'the code for another e-mail address');
    const code = String(await until(() => /Your code is (\d+)/.exec(post.mails.join())?.[1] ?? false));
    await later.prompt.getByLabel(profile.code, { exact: true }).fill(code);
    await later.prompt.getByRole('button', { name: profile.change, exact: true }).click();
    await later.prompt.waitFor({ state: 'detached' });
    await later.page.getByText(NEXT, { exact: true }).waitFor();
    await until(() => post.mails.some((mail) => mail.replaceAll('=\n', '').includes('no longer used')));

    await later.button(lostPassword.request).click();
    await later.page.getByText(lostPassword.sent, { exact: true }).waitFor();
    await until(() => post.mails.some((mail) => mail.replaceAll('=\n', '').includes('reset-password#')));
    await later.close();
    await mailing.close();
    post.close();
  });

  it('WC-5 a lost password where no e-mail is sent: it says whom to ask, what the recovery secret is for, and what is lost without it', async () => {
    const quiet = await startTestServer({ webRoot: await ensureSite(), development: false });
    const ada = await world.arrive({ ...withAxe, at: quiet.url });
    await ada.open();
    await ada.button(ada.words.signIn.toForgotten).click();
    await ada.page.getByText(ada.words.signIn.keysAndPassword.lost, { exact: true }).waitFor();
    await ada.sees(ada.page.getByText(ada.words.signIn.forgottenNoEmail, { exact: true }));
    expect(await ada.page.getByText(ada.words.signIn.forgottenLead, { exact: true }).count()).toBe(0);
    await expectForEveryone(ada, 'a lost password, and what is lost without the recovery secret');
    await ada.close();
    await quiet.drop();
  });

  it('WC-5 a device that waits says what becomes of an account without another device and without the secret', async () => {
    const ada = await world.signUp();
    const phone = await world.arrive({ ...withAxe, email: ada.email });
    await phone.signIn();
    await phone.waitingCode();
    await phone.sees(phone.page.getByText(phone.words.signIn.keysAndPassword.neither, { exact: true }));
    await expectForEveryone(phone, 'a device that waits');
  });
});
