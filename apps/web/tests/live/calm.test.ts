import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, type Person, useWorld, WEB_SCOPE } from './harness/index.ts';

/** What a developer tool would show in red: answers that say no, requests that fail, what the page's policy stopped. */
function watch(person: Person): string[] {
  const { page } = person;
  const red: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) red.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A page that is left stops what it asked for.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      red.push(`${request.failure()?.errorText} ${request.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') red.push(message.text());
  });
  page.on('pageerror', (error) => red.push(String(error)));
  return red;
}

describe('WC-81 the first five minutes of the README, and what a maker does after them', () => {
  const world = useWorld();
  let site: Server;
  let url: string;
  beforeAll(async () => {
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Open until nine</p>'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  });
  afterAll(() => site.close());

  it('WC-81 an account, an agent, a question, the log, the permission taken back: no error, no failed request', async () => {
    const bot = await world.demoBot();
    const ada = await world.arrive();
    const red = watch(ada);
    await ada.signUp();
    const { page, words } = ada;
    await ada.addAgent(bot.agentId, bot.name, [WEB_SCOPE]);
    await ada.say(`what is on ${url}`);
    await ada.prompt.waitFor();
    await ada.answer('allow');
    await ada.thread
      .getByText(/Open until nine/)
      .last()
      .waitFor();
    await ada.go('audit');
    await page.locator('ol > li').first().waitFor();
    await ada.button(words.audit.verify).click();
    await page.getByText(fill(words.audit.verified, { count: 1 }), { exact: true }).waitFor();
    for (const [path, heading] of [
      ['permissions', words.permissions.title],
      ['contacts', words.contacts.title],
      ['bundles', words.bundles.title],
      ['skills', words.skills.title],
      ['settings', words.settings.title],
    ] as const) {
      await ada.go(path);
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    await ada.go(`agents/${bot.agentId}`);
    await page.getByRole('switch', { name: WEB_SCOPE, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(red).toEqual([]);
  });

  it('WC-81 an agent of one’s own: every tab, a manifest, the comparison', async () => {
    const ada = await world.arrive({ name: 'Maker' });
    const red = watch(ada);
    await ada.signUp();
    const { page, words } = ada;
    await ada.go('developer');
    await ada.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill('Quiet');
    await ada.prompt.getByRole('button', { name: words.developer.create, exact: true }).click();
    await page.getByTestId('secret').waitFor();
    await ada.button(words.parts.secretKept).click();
    await page.getByRole('tab', { name: words.developer.tab.manifest, selected: true, exact: true }).waitFor();
    await page.locator('.cm-content').waitFor();
    await page.getByLabel(words.developer.template, { exact: true }).selectOption('reader');
    await ada.button(words.developer.push).click();
    await ada.prompt.getByRole('button', { name: words.developer.push, exact: true }).click();
    await page.getByText(fill(words.developer.pushed, { version: 1 }), { exact: true }).waitFor();
    await page.getByLabel(words.developer.template, { exact: true }).selectOption('full');
    await ada.button(words.developer.compare).click();
    await expect.poll(() => page.locator('.cm-content').count()).toBe(3);
    for (const tab of ['overview', 'webhook', 'tokens', 'history'] as const) {
      await page.getByRole('tab', { name: words.developer.tab[tab], exact: true }).click();
      await page.getByRole('tab', { name: words.developer.tab[tab], selected: true, exact: true }).waitFor();
      await expect.poll(() => page.locator('main .animate-spin, main [aria-busy=true]').count()).toBe(0);
    }
    expect(red).toEqual([]);
  });
});
