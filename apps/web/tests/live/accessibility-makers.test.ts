import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE as BUNDLE } from '../../src/screens/bundles/example.ts';
import { EXAMPLE as SKILL } from '../../src/screens/skills/example.ts';
import { DEMO_MANIFEST, expectForEveryone, fill, type Person, useWorld, withAxe } from './harness/index.ts';

/** Wider than its place in whatever font. */
const LONG = 'word '.repeat(80).trim();

describe('HS-10 for everyone: those who make agents, bundles and skills', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'parley-web-makers-'));
  const world = useWorld(() => ({ workspaces: { desk: workspace } }));
  let receiver: Server;
  let url: string;
  let ada: Person;
  let token: string;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${'x'.repeat(300)}`;
    ada = await world.signUp(withAxe);
    const { body } = await world.server.call('POST', '/auth/login', { body: ada.credentials });
    await world.server.makeOperator(body.user_id);
    token = body.access_token;
  });
  afterAll(async () => {
    await ada?.close();
    receiver?.close();
    receiver?.closeAllConnections();
    rmSync(workspace, { recursive: true, force: true });
  });

  const post = async (path: string, body: unknown) => {
    const reply = await world.server.call('POST', path, { token, body });
    expect([path, reply.status]).toEqual([path, 201]);
    return reply.body;
  };
  const openTab = (name: string) => ada.page.getByRole('tab', { name, exact: true }).click();
  const write = async (value: unknown) => {
    await ada.page.locator('.cm-content').first().click();
    await ada.page.keyboard.press('Control+a');
    await ada.page.keyboard.insertText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  /** A button opens a dialog, which is looked at; then it is left, or its own button of the same name pressed. */
  const ask = async (name: string, { confirm = false, first = false } = {}) => {
    const button = ada.button(name);
    await (first ? button.first() : button).click();
    await ada.prompt.waitFor();
    await expectForEveryone(ada, name);
    if (confirm) await ada.prompt.getByRole('button', { name, exact: true }).click();
    else await ada.page.keyboard.press('Escape');
    await ada.prompt.waitFor({ state: 'detached' });
  };

  it('HS-10 an agent: its name, its token, its first manifest', async () => {
    const { page, words } = ada;
    const { developer } = words;
    await ada.go('developer');
    await page.getByText(developer.none, { exact: true }).waitFor();
    await ada.button(developer.create).first().click();
    await expectForEveryone(ada, 'a new agent');
    await page.getByLabel(developer.name, { exact: true }).fill('Mine');
    await page.getByLabel(developer.description, { exact: true }).fill(LONG);
    await ada.prompt.getByRole('button', { name: developer.create, exact: true }).click();
    await page.getByTestId('secret').waitFor();
    await expectForEveryone(ada, 'its token');
    await ada.button(words.parts.secretKept).click();

    await page.locator('.cm-content').waitFor();
    await write('{ "tools": 5 }');
    await page.getByText(developer.verdictInvalid, { exact: true }).waitFor();
    await expectForEveryone(ada, 'a manifest with errors');
    await page.getByLabel(developer.template, { exact: true }).selectOption('full');
    await ada.prompt.waitFor();
    await expectForEveryone(ada, 'replacing what was written');
    await ada.button(developer.replace).click();
    await page.getByText(developer.verdictFirst, { exact: true }).waitFor();
    await ask(developer.push, { confirm: true });
    await page.getByText(fill(developer.pushed, { version: 1 }), { exact: true }).waitFor();
  });

  it('HS-10 an agent: what a new manifest changes, and its history', async () => {
    const { page, words } = ada;
    const { developer } = words;
    const { agent_id } = await post('/agents', { name: 'Changing', capability_manifest: DEMO_MANIFEST });
    await ada.go(`developer/${agent_id}#manifest`);
    await page.locator('.cm-content').waitFor();
    await page.getByText(developer.verdictSame, { exact: true }).waitFor();
    const next = structuredClone(DEMO_MANIFEST);
    next.tools[0].input_schema.properties.method.enum = ['GET'];
    await write(next);
    await page.getByText(/^Breaking/).waitFor();
    await ada.button(developer.compare).click();
    await expect.poll(() => page.locator('.cm-content').count()).toBe(3);
    await expectForEveryone(ada, 'compared with the live one');
    await ask(developer.push, { confirm: true });
    await page.getByText(fill(developer.pushed, { version: 2 }), { exact: true }).waitFor();

    await openTab(developer.tab.history);
    await expect.poll(() => page.getByRole('button', { name: developer.historyView, exact: true }).count()).toBe(2);
    await page.locator('.cm-content').first().waitFor();
    await expectForEveryone(ada, 'history');
  });

  it('HS-10 an agent: its tokens, its webhook, its end', async () => {
    const { page, words } = ada;
    const { developer } = words;
    const { agent_id } = await post('/agents', { name: 'Another', capability_manifest: DEMO_MANIFEST });
    await ada.go(`developer/${agent_id}#tokens`);
    await ada.button(developer.rotate).click();
    await ada.prompt.waitFor();
    await expectForEveryone(ada, 'another token');
    await ada.prompt.getByRole('button', { name: developer.rotate, exact: true }).click();
    await ada.button(words.parts.secretKept).click();
    await expect.poll(() => ada.button(developer.revoke).count()).toBe(2);
    await ask(developer.revoke, { confirm: true, first: true });
    await expect.poll(() => ada.button(developer.revoke).count()).toBe(1);
    await ask(developer.revoke, { confirm: true });
    await page.getByText(developer.tokensNone, { exact: true }).waitFor();
    await expectForEveryone(ada, 'no token');

    await openTab(developer.tab.webhook);
    await page.getByLabel(developer.url, { exact: true }).fill('ftp://example.org/');
    await ada.button(developer.urlSave).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'an address that is refused');
    await page.getByLabel(developer.url, { exact: true }).fill(url);
    await ada.button(developer.urlSave).click();
    await ada.button(words.parts.secretKept).click();
    await ada.button(developer.hookTest).click();
    await page.getByRole('listitem').getByText(developer.delivery.delivered, { exact: true }).first().waitFor();
    await expectForEveryone(ada, 'deliveries');
    await ask(developer.hookRotate);
    await ask(developer.hookRemove, { confirm: true });

    await openTab(developer.tab.events);
    await page.getByText(words.agentEvents.status.live, { exact: true }).waitFor();
    await page.getByText(words.agentEvents.event.token.created, { exact: true }).first().waitFor();
    await expectForEveryone(ada, 'events');

    await openTab(developer.tab.overview);
    await expectForEveryone(ada, 'overview');
    await ask(developer.suspend, { confirm: true });
    await ask(developer.resume, { confirm: true });
    await ask(developer.delete);
  });

  it('HS-10 a bundle: wrong, published, its parts', async () => {
    const { page, words } = ada;
    const { bundles } = words;
    await ada.go('bundles#check');
    await page.locator('.cm-content').waitFor();
    await write({ ...BUNDLE, roles: [{ id: 'researcher', label: 'R', kits: ['notes'] }] });
    await page.getByText(fill(bundles.levelsLead, { passed: 5, total: 6 }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'a bundle with errors');
    await write({ ...BUNDLE, id: 'looked-at', name: 'Looked at', summary: LONG });
    await page.getByText(fill(bundles.levelsLead, { passed: 6, total: 6 }), { exact: true }).waitFor();
    await ask(bundles.publish, { confirm: true });
    await page.getByRole('link', { name: bundles.publishedOpen, exact: true }).click();
    await page.getByRole('heading', { name: 'Looked at', exact: true }).waitFor();
    for (const name of ['overview', 'levels', 'graph', 'permissions', 'preview', 'files', 'source'] as const) {
      await openTab(bundles.inside[name]);
      await ada.sees(page.getByRole('tab', { name: bundles.inside[name], selected: true, exact: true }));
      await expect.poll(() => page.getByRole('tabpanel').textContent()).not.toBe('');
      await expectForEveryone(ada, name);
    }
  });

  it('HS-10 a bundle: activated, yanked, not there', async () => {
    const { page, words } = ada;
    const { bundles } = words;
    await ada.go('bundles/looked-at');
    await ada.button(bundles.activate).click();
    await expectForEveryone(ada, 'where to');
    await ada.button(bundles.look).click();
    await ada.prompt.getByText('AGENTS.md', { exact: true }).waitFor();
    await expectForEveryone(ada, 'the plan');
    await ada.prompt.getByRole('button', { name: bundles.activate, exact: true }).click();
    await page
      .getByText(fill(bundles.activated, { name: 'Looked at', version: '1.0.0', workspace: 'desk' }), { exact: true })
      .waitFor();
    await expectForEveryone(ada, 'activated');
    await page.keyboard.press('Escape');
    await ask(bundles.yank, { confirm: true });
    await page.getByText(bundles.yankedNotice, { exact: true }).waitFor();
    await expectForEveryone(ada, 'yanked');
    await ada.go('bundles/nothing-like-it');
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'no bundle');
  });

  it('HS-10 a skill: its namespace, wrong, published, tried', async () => {
    const { page, words } = ada;
    const { skills } = words;
    await ada.go('skills#namespaces');
    await page.getByRole('textbox', { name: skills.nsName, exact: true }).fill('Not A Namespace');
    await ada.button(skills.nsClaim).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'no namespace');
    await page.getByRole('textbox', { name: skills.nsName, exact: true }).fill('org.axe');
    await ada.button(skills.nsClaim).click();
    await page.getByText('org.axe', { exact: true }).waitFor();
    await openTab(skills.tab.publish);
    await page.locator('.cm-content').waitFor();
    await write({ ...SKILL, id: 'org.axe.x', access: 'open' });
    await page.getByText(fill(words.parts.findings_one, { count: 1 }), { exact: true }).waitFor();
    await expectForEveryone(ada, 'a descriptor with errors');
    const endpoint = { url, status_url: url, result_url: url };
    await write({ ...SKILL, id: 'org.axe.x', description: LONG.slice(0, 300), access: 'private', endpoint });
    await page.getByText(words.parts.findingsNone, { exact: true }).waitFor();
    await ask(skills.publish, { confirm: true });
    await page.getByText(fill(skills.publishDone, { id: 'org.axe.x', version: '1.0.0' }), { exact: true }).waitFor();
    await post('/skills', { ...SKILL, id: 'org.axe.x', access: 'private', version: '2.0.0', inputs: [], endpoint });

    await ada.go('skills/org.axe.x');
    await page.getByRole('heading', { level: 1, name: new RegExp(`^${SKILL.name}`) }).waitFor();
    await expectForEveryone(ada, 'about');
    await page.getByLabel(skills.version, { exact: true }).selectOption('1.0.0');
    await openTab(skills.inside.try);
    await ada.button(skills.run).click();
    await page.getByText(skills.needed, { exact: true }).waitFor();
    await expectForEveryone(ada, 'inputs that are missing');
    await page.getByLabel(/^text/).fill('hello');
    await page.getByLabel(/^to$/).selectOption({ index: 1 });
    await ada.button(skills.run).click();
    await page.getByRole('heading', { name: skills.result, exact: true }).waitFor();
    await expectForEveryone(ada, 'what came of it');
    await openTab(skills.inside.call);
    await page.getByText(/\$SKILL_SECRET/).waitFor();
    await expectForEveryone(ada, 'examples');
  });

  it('HS-10 a skill: shared, yanked, not there', async () => {
    const { page, words } = ada;
    const { skills } = words;
    await ada.go('skills/org.axe.x');
    const bob = await world.signUp({ name: 'Bob' });
    const { body: session } = await world.server.call('POST', '/auth/login', { body: bob.credentials });
    const { body: me } = await world.server.call('GET', '/auth/me', { token: session.access_token });
    await openTab(skills.inside.people);
    await page.getByLabel(skills.peopleAdd, { exact: true }).fill('nobody');
    await ada.button(skills.allow).click();
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'nobody to share with');
    await page.getByLabel(skills.peopleAdd, { exact: true }).fill(me.user_id);
    await ada.button(skills.allow).click();
    await page.getByText('Bob', { exact: true }).waitFor();
    await expectForEveryone(ada, 'shared');
    await ask(skills.revoke);
    await openTab(skills.inside.versions);
    await page.getByText(skills.diffBreaking, { exact: true }).waitFor();
    await ask(skills.yank, { confirm: true, first: true });
    await ada.button(skills.unyank).waitFor();
    await expectForEveryone(ada, 'yanked');
    await ask(skills.unyank);
    await ada.go('skills/org.axe.nothing');
    await page.getByRole('alert').waitFor();
    await expectForEveryone(ada, 'no skill');
  });
});
