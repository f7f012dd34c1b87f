import { startTestServer } from '@parley/testkit/live';
import { describe, expect, it } from 'vitest';
import {
  addAuthenticator,
  ensureSite,
  expectForEveryone,
  fill,
  startPost,
  useWorld,
  withAxe,
} from './harness/index.ts';

describe('TR-9 passkeys', () => {
  // They are made for a name, and a number is none.
  const world = useWorld(() => ({ publicUrl: 'http://localhost:0' }));

  it('TR-9 a passkey is added in the settings, and signs in without a password', async () => {
    const ada = await world.arrive({ at: world.server.platform.config.publicUrl });
    await ada.signUp();
    await addAuthenticator(ada);
    const { settings, signIn } = ada.words;
    await ada.go('settings');
    await ada.button(settings.passkeys.add).click();
    await ada.page.getByText(settings.passkeys.never, { exact: true }).waitFor();
    await ada.button(settings.signOut).click();
    await ada.button(signIn.passkey).click();
    await ada.page.getByText(new RegExp(`^${fill(settings.passkeys.used, { time: '\\S' })}`)).waitFor();
    expect(await ada.page.getByText(settings.passkeys.never, { exact: true }).count()).toBe(0);
  });

  it('TR-9 where the server sends e-mail, the code comes by itself, and a wrong one is said to be', async () => {
    const { mails, url: smtpUrl, close } = await startPost();
    const server = await startTestServer({ webRoot: await ensureSite(), smtpUrl });
    const ada = await world.arrive({ ...withAxe, at: server.url });
    const { page, words } = ada;
    await ada.open();
    await ada.button(words.signIn.toCreate).click();
    await page.getByLabel(words.signIn.name, { exact: true }).fill(ada.name);
    await ada.enterCredentials();
    await ada.button(words.signIn.create).click();
    await page.getByText(words.signIn.codeSent, { exact: true }).waitFor();
    await expect.poll(() => mails.length).toBe(1);
    await page.getByLabel(words.signIn.code, { exact: true }).fill('00000000');
    await ada.button(words.signIn.create).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'a code that is wrong');
    await page.getByLabel(words.signIn.code, { exact: true }).fill(/Your code is (\d+)/.exec(mails[0]!)![1]!);
    await ada.button(words.signIn.create).click();
    await ada.atHome();
    await ada.close();
    await server.drop();
    close();
  });
});
