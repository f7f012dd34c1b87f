import { like } from './person.mjs';

/** Several tabs, accounts and devices. */
export async function take(stage, locale, scene) {
  const bot = await stage.bot('DemoBot');
  const person = await (await stage.arrive(locale)).signUp();
  const { page, words } = person;
  const { signIn, settings } = words;
  const { email } = person;
  await person.addAgent(bot);
  await scene(`42-lost-tab, ${locale}`, async () => {
    await person.box.fill(locale === 'zh-CN' ? '写到一半的话' : 'Half a thought');
    const tab = await person.openTab();
    await tab.button(signIn.useHere).waitFor();
    await tab.shoot('42-other-tab');
    await tab.button(signIn.useHere).click();
    await tab.atHome();
    await page.getByRole('heading', { level: 1, name: signIn.lost.title, exact: true }).waitFor();
    await person.shoot('42-lost-tab');
    await tab.page.close();
  });
  const use = person.button(signIn.lost.use);
  if (await use.count()) await use.click();
  await person.box.waitFor();

  const phone = await stage.arrive(locale, { email });
  await scene(`41-waiting, ${locale}`, async () => {
    await phone.open();
    await phone.enter('not the password');
    await phone.page.locator('button[type=submit]').click();
    await phone.page.getByRole('alert').waitFor();
    await phone.shoot('40-refused');
    await phone.signIn();
    await phone.page.getByTestId('code').waitFor();
    await phone.shoot('41-waiting');
    await phone.page.locator('summary').first().click();
    await phone.shoot('41-waiting-recovery', true);
  });
  await scene(`43-removed, ${locale}`, async () => {
    const code = await phone.page.getByTestId('code').textContent();
    await person.go('settings');
    const approve = page.getByRole('button', { name: new RegExp(`^${settings.devices.approve}`) });
    await approve.click();
    await page.getByLabel(settings.devices.code, { exact: true }).fill(code);
    await person.shoot('43-approve');
    await person.button(settings.devices.approve, person.dialog).click();
    await person.dialog.waitFor({ state: 'detached' });
    await phone.atHome();
    await page.reload();
    await person.pause(1_500);
    await person.shoot('43-devices', true);
    const remove = page.getByRole('button', { name: like(settings.devices.removeTitle) });
    await remove.last().click();
    await person.dialog.waitFor();
    await person.shoot('43-remove-device');
    await person.button(settings.devices.remove, person.dialog).click();
    await phone.button(signIn.submit).waitFor();
    await phone.shoot('43-removed-signed-out');
    await phone.signIn();
    await phone.page.getByRole('heading', { name: signIn.removed.title, exact: true }).waitFor();
    await phone.shoot('43-removed');
  });
  await phone.close();
  await scene(`44-accounts, ${locale}`, async () => {
    await person.go('settings');
    await person.button(settings.accounts.change).click();
    await person.button(signIn.submit).waitFor();
    await person.shoot('44-accounts', true);
    await person.button(like(signIn.accounts.forgetLabel)).first().click();
    await person.dialog.waitFor();
    await person.shoot('44-forget-account');
  });
  await person.close();
}
