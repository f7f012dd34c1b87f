import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEMPLATES } from '../../src/screens/developer/templates.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

describe('WC-60, WC-66 what the screens for makers say, and what they ask for', () => {
  const world = useWorld();
  let receiver: Server;
  let url: string;
  let status = 200;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      response.statusCode = status;
      request.resume().on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  beforeEach(() => {
    status = 200;
  });
  afterAll(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  /** A maker with an agent; every answer that says no is noted. */
  async function makeAgent(language: 'en' | 'zh-CN' = 'en') {
    const maker = await world.signUp({ language });
    const refused: string[] = [];
    maker.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    const { body: session } = await world.server.call('POST', '/auth/login', { body: maker.credentials });
    const { body } = await world.server.call('POST', '/agents', {
      token: session.access_token,
      body: { name: 'Hooked', description: '', visibility: 'public', capability_manifest: TEMPLATES.full },
    });
    return { maker, refused, agentId: body.agent_id as string };
  }
  const setAddress = async (person: Person, address: string) => {
    const { page, words } = person;
    await page.getByLabel(words.developer.url, { exact: true }).fill(address);
    await person.button(words.developer.urlSave).click();
  };
  const alarm = ({ page }: Person, title: string) => page.getByRole('alert').filter({ hasText: asPattern(title) });
  const asPattern = (text: string) => new RegExp(text.replace('{{time}}', '.+'));

  it.each(['en', 'zh-CN'] as const)(
    'WC-60 a webhook whose ping failed is not called answering; one that answers is (%s)',
    async (language) => {
      const { maker, agentId, refused } = await makeAgent(language);
      const { page, words } = maker;
      const { outcome, attempt } = words.developer;
      await maker.go(`developer/${agentId}#webhook`);
      status = 500;
      await setAddress(maker, url);
      await maker.button(words.parts.secretKept).click();
      await page.getByText(outcome.untried, { exact: true }).waitFor();
      await page.getByText(outcome.noPing, { exact: true }).waitFor();

      await maker.button(words.developer.hookTest).click();
      const refusing = alarm(maker, outcome.refusing);
      await refusing.waitFor();
      const said = await refusing.textContent();
      expect(said).toContain(fill(attempt.serverError.what, { status: 500 }));
      expect(said).toContain(attempt.serverError.todo);
      await maker.sees(page.getByText(outcome.failing, { exact: true }));
      expect(await page.getByText(outcome.answers, { exact: true }).count()).toBe(0);

      status = 200;
      await maker.button(words.developer.hookTest).click();
      await page.getByText(outcome.answers, { exact: true }).waitFor();
      await expect.poll(() => refusing.count()).toBe(0);
      await maker.sees(page.getByRole('definition').filter({ hasText: asPattern(outcome.pingAnswered) }));

      // Another address is not called answering for what the one before did.
      await setAddress(maker, 'http://127.0.0.1:9/');
      await expect.poll(() => page.getByText(outcome.answers, { exact: true }).count()).toBe(0);
      await maker.button(words.developer.hookTest).click();
      await expect.poll(() => alarm(maker, outcome.since).textContent()).toContain(attempt.refused.what);
      await page
        .getByRole('listitem')
        .filter({ hasText: attempt.refused.what.slice(0, -1) })
        .first()
        .waitFor();
      expect(refused).toEqual([]);
    },
  );

  it('WC-66 an unset webhook is not asked for; comparing and writing over a selection break no policy', async () => {
    const { maker, agentId, refused } = await makeAgent();
    const { page, words } = maker;
    const { developer } = words;
    await maker.go(`developer/${agentId}#webhook`);
    await page.getByText(developer.webhookNone, { exact: true }).waitFor();
    await page.getByRole('tab', { name: developer.tab.manifest, exact: true }).click();
    const editor = page.locator('.cm-content').first();
    await editor.waitFor();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify({ ...TEMPLATES.full, agent_version: '9.0.0' }, null, 2));
    await expect.poll(() => editor.textContent()).toContain('9.0.0');
    await maker.button(developer.compare).click();
    const sides = page.getByRole('figure').locator('.cm-content');
    await sides.nth(1).waitFor();
    // What is typed into what is only shown goes nowhere, and the browser does not style it either.
    await sides.nth(1).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('typed');
    await page.keyboard.press('Delete');
    expect(await sides.nth(1).textContent()).toMatch(/"9\.0\.0"(?!.*typed)/);
    // Typing goes on where it is meant.
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{ "x": 1 }');
    await expect.poll(() => editor.textContent()).toBe('{ "x": 1 }');
    await page.keyboard.press('Control+z');
    await expect.poll(() => editor.textContent()).not.toBe('{ "x": 1 }');
    for (const tab of ['history', 'tokens', 'events', 'overview'] as const) {
      await page.getByRole('tab', { name: developer.tab[tab], exact: true }).click();
      await page.getByRole('tab', { name: developer.tab[tab], selected: true, exact: true }).waitFor();
    }
    await page.getByRole('heading', { name: developer.makers.connect, exact: true }).waitFor();
    expect(refused).toEqual([]);
    expect(maker.complaints).toEqual([]);
  });
});
