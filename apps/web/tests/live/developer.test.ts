import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, type Person, useWorld } from './harness/index.ts';

const EVIL = '<img src=x onerror=alert(1)>Bot';

describe('RL-1, RL-4, CM-15, TR-5 a developer and an agent', () => {
  const world = useWorld();
  let receiver: Server;
  let url: string;
  const received: string[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers['x-hashee-event'] ?? request.method));
      request.resume().on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => receiver.close());

  /** Its page, and the token that was shown. */
  async function create(person: Person, name: string): Promise<{ agentId: string; token: string }> {
    const { page, words } = person;
    await person.go('developer');
    await person.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill(name);
    await page.getByRole('dialog').getByRole('button', { name: words.developer.create, exact: true }).click();
    const token = (await page.getByTestId('secret').textContent())!;
    await person.button(words.parts.secretKept).click();
    await page.getByRole('tab', { name: words.developer.tab.manifest, selected: true, exact: true }).waitFor();
    const [agentId] = new URL(page.url()).pathname.split('/').slice(-1) as [string];
    return { agentId, token };
  }

  const choose = (person: Person, template: string) =>
    person.page.getByLabel(person.words.developer.template, { exact: true }).selectOption(template);

  async function push(person: Person): Promise<void> {
    await person.button(person.words.developer.push).click();
    await person.page
      .getByRole('dialog')
      .getByRole('button', { name: person.words.developer.push, exact: true })
      .click();
  }

  it('RL-1 the token is shown once; RL-4 a push under a changed version is explained, in Chinese', async () => {
    const ada = await world.signUp({ language: 'zh-CN' });
    const { page, words } = ada;
    const { agentId, token } = await create(ada, '甲');
    expect(token).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
    expect(await page.content()).not.toContain(token);

    // The first version: what people will be asked is shown before.
    await page.locator('.cm-content').waitFor();
    await choose(ada, 'reader');
    await page.getByRole('switch').waitFor();
    await ada.sees(page.getByText(words.developer.verdictFirst, { exact: true }));
    await ada.sees(page.getByRole('heading', { name: words.developer.consentTitle, exact: true }));
    await push(ada);
    await page.getByText(fill(words.developer.pushed, { version: 1 }), { exact: true }).waitFor();

    // Someone else pushes; ours is refused, and nothing is lost.
    const { body } = await world.server.call('GET', `/agents/${agentId}`);
    const next = { ...body.capability_manifest, agent_version: '1.0.1' };
    expect((await world.server.call('PATCH', `/agents/${agentId}`, { token, body: next })).status).toBe(200);
    await choose(ada, 'full');
    await page.getByText(fill(words.developer.verdictBreaking_other, { count: 3 }), { exact: true }).waitFor();
    await push(ada);
    await page.getByText(words.developer.conflictTitle, { exact: true }).waitFor();
    ada.forgive(/412/);
    await ada.button(fill(words.developer.makers.behindGoOn, { version: 2 })).click();
    await push(ada);
    await page.getByText(fill(words.developer.pushed, { version: 3 }), { exact: true }).waitFor();

    await page.getByRole('tab', { name: words.developer.tab.history, exact: true }).click();
    await expect
      .poll(() => page.getByRole('button', { name: words.developer.historyView, exact: true }).count())
      .toBe(3);
    await page.locator('.cm-content').first().waitFor();
  });

  it('CM-15 what is wrong is shown where it is, and the list leads there', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    await create(ada, 'Findings');
    const editor = page.locator('.cm-content').first();
    await editor.waitFor();
    await choose(ada, 'fetcher');
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(
      '{ "schema_version": "1.0", "agent_version": "one",\n"tools": [],\n"permission_scopes": [] }',
    );
    const finding = page.getByRole('listitem').getByRole('button', { name: /line 1/ });
    await finding.waitFor();
    await page.getByText(words.developer.verdictInvalid, { exact: true }).waitFor();
    expect(await ada.button(words.developer.push).isDisabled()).toBe(true);
    await page.locator('.cm-lintRange-error', { hasText: '"one"' }).waitFor();
    // By keyboard: the finding puts the cursor to its place.
    await finding.press('Enter');
    await page.locator('.cm-editor.cm-focused').waitFor();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Delete');
    await expect.poll(() => editor.textContent()).toContain('"agent_version": ne"');
  });

  it('TR-5, TR-6 a webhook is set, tested and watched; its secret is shown once', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { agentId } = await create(ada, 'Hooked');
    await page.getByRole('tab', { name: words.developer.tab.webhook, exact: true }).click();
    await page.getByLabel(words.developer.url, { exact: true }).fill(url);
    await ada.button(words.developer.urlSave).click();
    const secret = (await page.getByTestId('secret').textContent())!;
    expect(secret.length).toBeGreaterThan(31);
    await ada.button(words.parts.secretKept).click();
    await ada.button(words.developer.hookTest).click();
    await page.getByText(words.developer.delivery.delivered, { exact: true }).nth(1).waitFor();
    const before = received.length;
    await ada.button(words.developer.redeliver).click();
    await expect.poll(() => received.length).toBeGreaterThan(before);

    await page.getByRole('tab', { name: words.developer.tab.tokens, exact: true }).click();
    await ada.button(words.developer.rotate).click();
    await page.getByRole('dialog').getByRole('button', { name: words.developer.rotate, exact: true }).click();
    const token = (await page.getByTestId('secret').textContent())!;
    await ada.button(words.parts.secretKept).click();
    await expect.poll(() => page.getByRole('button', { name: words.developer.revoke, exact: true }).count()).toBe(2);
    expect((await world.server.call('GET', `/agents/${agentId}`, { token })).status).toBe(200);
  });

  it('CM-12 attack: markup and hidden characters in names and labels stay text; deleting wants the name', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const { agentId, token } = await create(ada, EVIL);
    const scope = {
      id: 'x:y',
      label_i18n_key: 'k',
      label_fallback: '<script>alert(1)</script>\u202elabel',
      sensitivity: 'high',
    };
    const body = { schema_version: '1.0', agent_version: '1.0.0', tools: [], permission_scopes: [scope] };
    expect((await world.server.call('PATCH', `/agents/${agentId}`, { token, body })).status).toBe(200);
    await ada.reload();
    await page.getByRole('switch', { name: '<script>alert(1)</script>[U+202E]label', exact: true }).waitFor();
    await page.getByRole('heading', { name: EVIL, exact: true }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);

    await page.getByRole('tab', { name: words.developer.tab.overview, exact: true }).click();
    await ada.button(words.developer.suspend).click();
    await page.getByRole('dialog').getByRole('button', { name: words.developer.suspend, exact: true }).click();
    await page.getByText(words.developer.status.suspended, { exact: true }).waitFor();
    await ada.button(words.developer.resume).click();
    await page.getByRole('dialog').getByRole('button', { name: words.developer.resume, exact: true }).click();
    await ada.button(words.developer.suspend).waitFor();
    await ada.button(words.developer.delete).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: words.developer.delete, exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(words.developer.deleteName, { exact: true }).fill(EVIL);
    await confirm.click();
    await page.getByText(words.developer.none, { exact: true }).waitFor();
    expect((await world.server.call('GET', `/agents/${agentId}`)).status).toBe(404);
    ada.forgive(/404|401/);
  });
});
