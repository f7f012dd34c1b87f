import { describe, expect, it } from 'vitest';
import { fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

const PHONE = 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0';
const TABLET = 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const phoneName = 'Firefox · Android';
const tabletName = 'Safari · iPad';

/** What the settings say about one device. */
function rowOf({ page, words }: Person, text: string) {
  const title = page.getByRole('heading', { name: words.settings.devices.title, exact: true });
  return page.locator('section').filter({ has: title }).getByRole('listitem').filter({ hasText: text });
}

describe('EE-16, EE-17, EE-18 the devices of a person', () => {
  const world = useWorld();

  it('EE-16 a new device shows a code; a wrong one lets nobody in, the right one does, and a keeper lets in the next', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { devices } = words.settings;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await phone.signIn();
    const code = await phone.waitingCode();
    expect(code).toMatch(/^(\d{5} ){4}\d{5}$/);

    await ada.go('settings');
    await rowOf(ada, phoneName).getByText(devices.waiting, { exact: true }).waitFor();
    await ada.button(fill(devices.approveTitle, { name: phoneName })).click();
    await page.getByLabel(devices.code, { exact: true }).fill(code.replace(/^\d/, (digit) => `${(+digit + 1) % 10}`));
    await ada.prompt.getByRole('button', { name: devices.approve, exact: true }).click();
    await ada.prompt.getByRole('alert').waitFor();
    expect(await phone.page.getByTestId('code').textContent()).toBe(code);
    await page.getByLabel(devices.code, { exact: true }).fill(code);
    expect(await page.getByLabel(devices.keepToo, { exact: true }).isChecked()).toBe(true);
    await ada.prompt.getByRole('button', { name: devices.approve, exact: true }).click();
    await ada.prompt.waitFor({ state: 'detached' });
    await phone.atHome();
    await rowOf(ada, phoneName).getByText(devices.keeper, { exact: true }).waitFor();

    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await phone.letIn(tablet, { keeper: false });
    await tablet.go('settings');
    await tablet.page.getByText(devices.noKeeper, { exact: true }).waitFor();
    await rowOf(ada, tabletName).waitFor();
    expect(await rowOf(ada, tabletName).getByText(devices.keeper, { exact: true }).count()).toBe(0);
  });

  it('EE-16 the server says that an account has no device: the person is asked, and nothing is made before', async () => {
    const ada = await world.arrive();
    const { page, words } = ada;
    const { body } = await world.server.call('POST', '/auth/register', {
      body: { ...ada.credentials, display_name: ada.name },
    });
    const keyOf = async () =>
      (await world.server.call('GET', '/auth/me', { token: body.access_token })).body.account_key;
    await ada.signIn();
    await page.getByText(words.signIn.unfoundedUsed, { exact: true }).waitFor();
    expect(await keyOf()).toBeNull();
    await ada.button(words.signIn.signOut).click();
    await ada.button(words.signIn.submit).waitFor();
    expect(await keyOf()).toBeNull();
    await ada.signIn();
    await ada.button(words.signIn.found).click();
    await ada.atHome();
    expect(await keyOf()).not.toBeNull();
    // It is the first device, so it has a recovery secret to be saved.
    expect(await ada.readRecoverySecret()).toMatch(/^(\w{4}-){6}\w{4}$/);
  });

  it('EE-17 a device is made a keeper, the account key is replaced, and both go on letting devices in', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { devices } = words.settings;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone, { keeper: false });
    await phone.go('settings');
    await phone.page.getByText(devices.noKeeper, { exact: true }).waitFor();
    expect(await phone.button(devices.rotate).count()).toBe(0);

    await ada.button(`${devices.keep}: ${phoneName}`).click();
    await ada.prompt.getByRole('button', { name: devices.keep, exact: true }).click();
    await ada.prompt.waitFor({ state: 'detached' });
    await phone.page.getByText(devices.noKeeper, { exact: true }).waitFor({ state: 'detached' });
    await ada.button(devices.rotate).click();
    await ada.prompt.getByRole('button', { name: devices.rotate, exact: true }).click();
    await page.getByText(devices.rotated, { exact: true }).waitFor();

    // The other keeper got the new key by itself.
    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await phone.letIn(tablet);
    await rowOf(ada, tabletName).getByText(devices.keeper, { exact: true }).waitFor();
  });

  it('EE-18 a keeper is removed: it is signed out, cannot come back, and the key it had is replaced', async () => {
    const ada = await world.signUp();
    const { words } = ada;
    const { devices } = words.settings;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone);
    await ada.button(fill(devices.removeTitle, { name: phoneName })).click();
    await ada.prompt.getByText(devices.removeLead.signed, { exact: true }).waitFor();
    await ada.prompt.getByRole('button', { name: devices.remove, exact: true }).click();
    await phone.button(words.signIn.submit).waitFor();
    await ada.prompt.waitFor({ state: 'detached' });
    await expect.poll(() => rowOf(ada, phoneName).count()).toBe(0);
    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await ada.letIn(tablet);
  });

  it('EE-18 a device that keeps no key shuts another one out; a keeper confirms it, and it is final', async () => {
    const ada = await world.signUp();
    const { words } = ada;
    const { devices } = words.settings;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone, { keeper: false });
    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await ada.letIn(tablet, { keeper: false });

    await phone.go('settings');
    await phone.button(fill(devices.removeTitle, { name: tabletName })).click();
    await phone.prompt.getByText(devices.removeLead.elsewhere, { exact: true }).waitFor();
    await phone.prompt.getByRole('button', { name: devices.remove, exact: true }).click();
    await tablet.button(words.signIn.submit).waitFor();
    await phone.prompt.waitFor({ state: 'detached' });
    await phone.page.getByText(devices.cutOffElsewhere, { exact: true }).waitFor();

    await ada.page.getByText(devices.cutOffLead, { exact: true }).waitFor();
    const gone = rowOf(ada, devices.cutOffLead);
    await gone.getByRole('button', { name: new RegExp(`^${devices.confirm}`) }).click();
    await ada.prompt.getByText(devices.removeLead.cutOff, { exact: true }).waitFor();
    await ada.prompt.getByRole('button', { name: devices.confirm, exact: true }).click();
    await ada.prompt.waitFor({ state: 'detached' });
    await gone.waitFor({ state: 'detached' });
    await phone.page.getByText(devices.cutOffElsewhere, { exact: true }).waitFor({ state: 'detached' });
  });

  it('EE-23 what is taken back says which device has not confirmed it, until that device comes back', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { words, page } = ada;
    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await ada.letIn(phone);
    await phone.go('permissions');
    const names = fill(words.parts.quoted, { name: phoneName });
    const label = fill(words.permissions.revokeLabel, { scope: WEB_SCOPE, agent: bot.name });
    await phone.button(label).waitFor();
    await phone.page.close();

    await ada.go('permissions');
    await ada.button(label).click();
    const shown = fill(words.parts.unconfirmedOf_one, { agent: bot.name, names });
    await page.getByRole('status').filter({ hasText: shown }).waitFor();
    await ada.go(`agents/${bot.agentId}`);
    await page.getByText(fill(words.parts.unconfirmed_one, { names }), { exact: true }).waitFor();
    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await ada.letIn(tablet);
    await ada.button(fill(words.settings.devices.removeTitle, { name: tabletName })).click();
    await ada.prompt.getByRole('button', { name: words.settings.devices.remove, exact: true }).click();
    const unaware = page.getByText(fill(words.parts.unconfirmedDevice_one, { names }), { exact: true });
    await unaware.waitFor();

    await phone.reopen('permissions');
    await unaware.waitFor({ state: 'detached' });
    await ada.go('permissions');
    await page.getByRole('heading', { name: words.permissions.title, exact: true }).waitFor();
    expect(await page.getByText(shown, { exact: true }).count()).toBe(0);
  });

  it('EE-17 the recovery secret is shown until it is saved; alone it lets a new browser in and all others out', async () => {
    const bot = await world.bot();
    const ada = await world.signUp();
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    const { conversationId, page, words } = ada;
    const { recovery } = words.shell;
    const secret = await ada.readRecoverySecret();
    expect(await ada.button(recovery.done).isDisabled()).toBe(true);
    await page.getByLabel(recovery.kept, { exact: true }).check();
    await ada.button(recovery.done).click();
    await expect.poll(() => ada.prompt.count()).toBe(0);
    expect(await page.getByText(recovery.bar, { exact: true }).count()).toBe(0);
    await ada.reload();
    await ada.go('settings');
    await page.getByText(words.settings.recovery.elsewhere, { exact: true }).waitFor();
    expect(await page.getByText(recovery.bar, { exact: true }).count()).toBe(0);

    const phone = await world.arrive({ email: ada.email, userAgent: PHONE });
    await phone.signIn();
    await phone.waitingCode();
    await phone.page.getByText(words.signIn.recovery, { exact: true }).click();
    const field = phone.page.getByLabel(words.signIn.recoverySecret, { exact: true });
    await field.fill(`${secret.slice(0, -1)}${secret.endsWith('2') ? '3' : '2'}`);
    await phone.button(words.signIn.recover).click();
    await phone.page.getByRole('alert').waitFor();
    // As a person types it.
    await field.fill(secret.toLowerCase().replaceAll('-', ' '));
    await phone.button(words.signIn.recover).click();
    await phone.atHome();
    await ada.button(words.signIn.submit).waitFor();

    // Nothing that the lost device signed counts: the agent is looked at and confirmed.
    const call = () => bot.agent.callTool(conversationId, 'fetch_url', { url: `${world.server.url}/health` });
    await phone.go('permissions');
    await phone.page
      .getByRole('link', {
        name: fill(words.permissions.confirmLabel, { scope: WEB_SCOPE, agent: bot.name }),
        exact: true,
      })
      .click();
    await phone.page
      .getByRole('heading', { name: fill(words.agents.signTitle, { name: bot.name }), exact: true })
      .waitFor();
    await expect(call()).rejects.toMatchObject({ status: 'denied' });
    await phone.page
      .getByRole('list', { name: words.agents.signScopes, exact: true })
      .getByText(WEB_SCOPE, { exact: true })
      .waitFor();
    await phone.button(words.agents.sign).click();
    await phone.button(words.agents.sign).waitFor({ state: 'detached' });
    const answered = call();
    await phone.prompt.waitFor();
    await phone.answer('allow');
    await expect(answered).resolves.toBeDefined();

    // It is a keeper now.
    const tablet = await world.arrive({ email: ada.email, userAgent: TABLET });
    await phone.letIn(tablet);
  });

  it('EE-17 a recovery file of the version before asks for its passphrase, too', async () => {
    const ada = await world.signUp();
    const phone = await world.arrive({ email: ada.email });
    const { page, words } = phone;
    await phone.signIn();
    await phone.waitingCode();
    await page.getByText(words.signIn.recovery, { exact: true }).click();
    await page.getByText(words.signIn.recoveryRemoves, { exact: true }).waitFor();
    expect(await page.getByLabel(words.signIn.passphrase, { exact: true }).count()).toBe(0);
    await page.getByLabel(words.signIn.recoverySecret, { exact: true }).fill('{"version":1}');
    await page.getByLabel(words.signIn.passphrase, { exact: true }).fill('a passphrase to remember');
    expect(await page.getByText(words.signIn.recoveryRemoves, { exact: true }).count()).toBe(0);
    await phone.button(words.signIn.recover).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByTestId('code').count()).toBe(1);
  });
});
