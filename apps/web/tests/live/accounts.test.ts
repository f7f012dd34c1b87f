import { startTestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import {
  addAuthenticator,
  ensureSite,
  expectForEveryone,
  type Person,
  startPost,
  useWorld,
  withAxe,
} from './harness/index.ts';

const NEXT = 'another horse battery';
const roleOf = async (server: { call: typeof callOf }, person: Person) => {
  const { body } = await server.call('POST', '/auth/login', { body: person.credentials });
  return (await server.call('GET', '/auth/me', { token: body.access_token })).body.role;
};
declare const callOf: Awaited<ReturnType<typeof startTestServer>>['call'];

async function createAccount(person: Person): Promise<void> {
  await person.page.getByLabel(person.words.signIn.name, { exact: true }).fill(person.name);
  await person.enterCredentials();
  await person.button(person.words.signIn.create).click();
}

describe('AC-8 signing up by invitation', () => {
  const world = useWorld(() => ({ registration: 'invitation' }));
  const pathOf = (link: string) => new URL(link).pathname + new URL(link).hash;

  it('AC-8 the link of the first start makes the operator; an invitation lets one person in', async () => {
    const { server } = world;
    const boss = await world.arrive(withAxe);
    await boss.page.goto(server.url + pathOf(server.operatorLink!));
    await boss.page.getByText(boss.words.signIn.operator, { exact: true }).waitFor();
    await expectForEveryone(boss, 'the page of the link for the operator');
    // Nobody reads the code over the shoulder, or in the history; reloading the page loses nothing.
    expect(boss.page.url()).toBe(`${server.url}/app/sign-up`);
    await boss.page.reload();
    await boss.page.getByText(boss.words.signIn.operator, { exact: true }).waitFor();
    await createAccount(boss);
    await boss.atHome();
    expect(await roleOf(server, boss)).toBe('admin');
    expect(await boss.page.evaluate(() => Object.keys(sessionStorage))).not.toContain('parley.invitation');

    const { body } = await server.call('POST', '/auth/login', { body: boss.credentials });
    const made = await server.call('POST', '/admin/invitations', { token: body.access_token, body: {} });
    const guest = await world.arrive({ language: 'zh-CN' });
    await guest.page.goto(server.url + pathOf(made.body.link));
    await guest.page.getByText(guest.words.signIn.invited, { exact: true }).waitFor();
    await createAccount(guest);
    await guest.atHome();
    expect(await roleOf(server, guest)).toBe('user');
    expect(new URL(guest.page.url()).pathname).toBe('/app/');

    const late = await world.arrive(withAxe);
    await late.page.goto(server.url + pathOf(made.body.link));
    const { signIn } = late.words;
    await late.page.getByText(signIn.invitationOver, { exact: true }).waitFor();
    await late.page.getByLabel(signIn.invitation, { exact: true }).fill('not one');
    await createAccount(late);
    await late.page.getByRole('alert').waitFor();
    await expectForEveryone(late, 'an invitation that is used up');
    const next = await server.call('POST', '/admin/invitations', { token: body.access_token, body: {} });
    await late.page.getByLabel(signIn.invitation, { exact: true }).fill(next.body.link);
    await late.button(signIn.create).click();
    await late.atHome();
  });
});

describe('AC-8 where registration is closed', () => {
  const world = useWorld(() => ({ registration: 'closed' }));

  it('AC-8 the page says so, and has no form', async () => {
    const ada = await world.arrive(withAxe);
    await ada.open();
    await ada.page.getByText(ada.words.signIn.closed, { exact: true }).waitFor();
    await ada.button(ada.words.signIn.toForgotten).waitFor();
    expect(await ada.button(ada.words.signIn.toCreate).count()).toBe(0);
    await ada.open('sign-up#none');
    await ada.page.getByText(ada.words.signIn.closed, { exact: true }).waitFor();
    expect(await ada.button(ada.words.signIn.create).count()).toBe(0);
  });
});

describe('AC-9 a lost password', () => {
  const world = useWorld();

  it('AC-9 is reset with the link from an e-mail; on the same device everything is still there', async () => {
    const post = await startPost();
    const { databaseUrl, tokenSecret, storageSecret } = world.server.config;
    const shared = { databaseUrl, tokenSecret, storageSecret };
    const mailing = await startTestServer({ ...shared, smtpUrl: post.url, webRoot: await ensureSite() });
    const ada = await world.arrive(withAxe);
    await ada.signUp();
    const { page, words } = ada;
    const { signIn, settings } = words;

    const lost = await world.arrive({ ...withAxe, at: mailing.url });
    await lost.open();
    await lost.button(signIn.toForgotten).click();
    await lost.page.getByLabel(signIn.email, { exact: true }).fill(ada.email);
    await lost.button(signIn.forgottenSend).click();
    await lost.page.getByText(signIn.forgottenSent, { exact: true }).waitFor();
    await expectForEveryone(lost, 'the page for a lost password');
    const code = await until(
      () => /reset-password#([\w-]{43})/.exec(post.mails.join().replaceAll('=\n', ''))?.[1] ?? false,
    );

    await page.goto(`${ada.origin}/reset-password#${code}`);
    await page.getByText(signIn.resetKeys, { exact: true }).waitFor();
    await expectForEveryone(ada, 'the page of a link for a new password');
    expect(page.url()).not.toContain(code);
    await page.getByLabel(signIn.newPassword, { exact: true }).fill(NEXT);
    await ada.button(signIn.resetSubmit).click();
    await page.getByText(signIn.resetDone, { exact: true }).waitFor();
    await ada.button(signIn.submit).click();
    await page.getByLabel(signIn.email, { exact: true }).fill(ada.email);
    await page.getByLabel(signIn.password, { exact: true }).fill(NEXT);
    await ada.button(signIn.submit).click();
    await ada.atHome();
    await ada.go('settings');
    await page.getByText(settings.notices.password_reset, { exact: true }).waitFor();

    await page.goto(`${ada.origin}/reset-password#${code}`);
    await page.getByLabel(signIn.newPassword, { exact: true }).fill(NEXT);
    await ada.button(signIn.resetSubmit).click();
    await page.getByRole('alert').waitFor();
    await lost.close();
    await mailing.close();
    post.close();
  });

  it('AC-9 a server that sends no e-mail says whom to ask', async () => {
    const quiet = await startTestServer({ webRoot: await ensureSite(), development: false });
    const ada = await world.arrive({ ...withAxe, at: quiet.url, language: 'zh-CN' });
    await ada.open();
    await ada.button(ada.words.signIn.toForgotten).click();
    await ada.page.getByText(ada.words.signIn.forgottenNoEmail, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a lost password without e-mail');
    await ada.open('reset-password');
    await ada.page.getByText(ada.words.signIn.resetNoCode, { exact: true }).waitFor();
    await ada.close();
    await quiet.drop();
  });
});

describe('AC-3 passkeys', () => {
  // They are made for a name, and a number is none.
  const world = useWorld(() => ({ publicUrl: 'http://localhost:0' }));

  it('AC-3 attack: in a session that was left open, adding one asks for the password; changing it ends them', async () => {
    const ada = await world.arrive({ ...withAxe, at: world.server.platform.config.publicUrl });
    await ada.signUp();
    const { page, words } = ada;
    const { settings } = words;
    await addAuthenticator(ada);
    await world.server.editDatabase('update sessions set verified_at = null');
    await ada.go('settings');
    await ada.button(settings.passkeys.add).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(settings.reauthenticate.title, { exact: true }).waitFor();
    await expectForEveryone(ada, 'the question for the password before a passkey is added');
    await dialog.getByLabel(settings.reauthenticate.password, { exact: true }).fill('not this one');
    await dialog.getByRole('button', { name: settings.reauthenticate.confirm, exact: true }).click();
    await dialog.getByRole('alert').waitFor();
    const { account_password } = ada.credentials;
    await dialog.getByLabel(settings.reauthenticate.password, { exact: true }).fill(account_password);
    await dialog.getByRole('button', { name: settings.reauthenticate.confirm, exact: true }).click();
    await page.getByText(settings.password.passkeys, { exact: true }).waitFor();

    // Removing one asks just as well.
    await world.server.editDatabase('update sessions set verified_at = null');
    await ada.button(settings.passkeys.remove).click();
    await dialog.getByText(settings.reauthenticate.title, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: words.parts.cancel, exact: true }).click();

    await page.getByLabel(settings.password.current, { exact: true }).fill(account_password);
    await page.getByLabel(settings.password.next, { exact: true }).fill(NEXT);
    await expectForEveryone(ada, 'changing the password, with the passkeys that end');
    await ada.button(settings.password.change).click();
    await page.getByText(settings.password.done, { exact: true }).waitFor();
    await page.getByText(settings.passkeys.none, { exact: true }).waitFor();
    await page.getByText(settings.notices.password_changed, { exact: true }).waitFor();
  });
});
