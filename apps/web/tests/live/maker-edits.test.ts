import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { until } from '@parley/testkit/until';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EXAMPLE as BUNDLE } from '../../src/screens/bundles/example.ts';
import { EXAMPLE as SKILL } from '../../src/screens/skills/example.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

const MANIFEST = { schema_version: '1.0', agent_version: '1.0.0', tools: [], permission_scopes: [] };

class Signal {
  give!: () => void;
  readonly given = new Promise<void>((resolve) => {
    this.give = resolve;
  });
}

describe('WC-62, WC-63, WC-64, WC-67 what a maker typed, and was shown once', () => {
  const world = useWorld();
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-web-snippet-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A maker with an agent that has a manifest. */
  async function makeAgent(): Promise<{ maker: Person; agentId: string; token: string }> {
    const maker = await world.signUp();
    const { body: session } = await world.server.call('POST', '/auth/login', { body: maker.credentials });
    const { body } = await world.server.call('POST', '/agents', {
      token: session.access_token,
      body: { name: 'Mine', description: '', visibility: 'public', capability_manifest: MANIFEST },
    });
    return { maker, agentId: body.agent_id, token: body.token };
  }
  const push = (token: string, agentId: string, version: string) =>
    world.server.call('PATCH', `/agents/${agentId}`, {
      token,
      body: { capability_manifest: { ...MANIFEST, agent_version: version } },
    });
  const editor = ({ page }: Person): Locator => page.locator('.cm-content').first();
  async function write(person: Person, text: string): Promise<void> {
    await person.sees(editor(person));
    await editor(person).click();
    await person.page.keyboard.press('Control+a');
    await person.page.keyboard.insertText(text);
  }
  const unsaved = ({ page, words }: Person) =>
    page.getByRole('status').filter({ hasText: words.parts.unsaved.since.split('{{time}}')[0]! });
  const draftOf = (version: string) => JSON.stringify({ ...MANIFEST, agent_version: version }, null, 2);

  it('WC-62 WC-1 an edited manifest is kept on other pages and after a reload, until it is discarded', async () => {
    const { maker, agentId } = await makeAgent();
    const { page, words } = maker;
    await maker.go(`developer/${agentId}#manifest`);
    await maker.sees(editor(maker));
    expect(await unsaved(maker).count()).toBe(0);
    await write(maker, draftOf('1.2.0'));
    await unsaved(maker).waitFor();

    await page.getByRole('tab', { name: words.developer.tab.tokens, exact: true }).click();
    await maker.go('settings');
    await maker.go(`developer/${agentId}#manifest`);
    await expect.poll(() => editor(maker).textContent()).toContain('1.2.0');
    await maker.reload();
    await expect.poll(() => editor(maker).textContent()).toContain('1.2.0');
    await unsaved(maker).waitFor();

    await maker.button(words.parts.unsaved.discard).click();
    await maker.prompt.getByRole('button', { name: words.parts.unsaved.discard, exact: true }).click();
    await expect.poll(() => editor(maker).textContent()).toContain('1.0.0');
    expect(await unsaved(maker).count()).toBe(0);
    await maker.reload();
    await expect.poll(() => editor(maker).textContent()).toContain('1.0.0');
  });

  it('WC-62 RL-4 someone pushes meanwhile: both texts are shown, and neither is overwritten', async () => {
    const { maker, agentId, token } = await makeAgent();
    const { page, words } = maker;
    const { developer } = words;
    await maker.go(`developer/${agentId}#manifest`);
    await write(maker, draftOf('1.2.0'));
    await unsaved(maker).waitFor();
    expect((await push(token, agentId, '1.1.0')).status).toBe(200);
    await maker.reload();
    await page.getByText(developer.conflictTitle, { exact: true }).waitFor();
    const sides = page.getByRole('figure').locator('.cm-content');
    await expect.poll(() => sides.allTextContents()).toHaveLength(2);
    const [live, mine] = await sides.allTextContents();
    expect(live).toContain('1.1.0');
    expect(mine).toContain('1.2.0');
    expect(await maker.button(developer.push).isDisabled()).toBe(true);

    await maker.button(fill(developer.makers.behindGoOn, { version: 2 })).click();
    await maker.button(developer.push).click();
    // The server is not there for a moment: nothing is lost.
    await page.route(`**/agents/${agentId}`, (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionfailed') : route.continue(),
    );
    const confirm = maker.prompt.getByRole('button', { name: developer.push, exact: true });
    await confirm.click();
    await maker.prompt.getByRole('alert').waitFor();
    await page.unroute(`**/agents/${agentId}`);
    expect(await editor(maker).textContent()).toContain('1.2.0');
    await confirm.click();
    await page.getByText(fill(developer.pushed, { version: 3 }), { exact: true }).waitFor();
    expect(await unsaved(maker).count()).toBe(0);
    await maker.reload();
    await expect.poll(() => editor(maker).textContent()).toContain('1.2.0');
    await maker.sees(maker.button(developer.push));
    expect(await unsaved(maker).count()).toBe(0);
  });

  it('WC-62 an agent, a bundle and a skill that were begun are still there', async () => {
    const maker = await world.signUp();
    const { page, words } = maker;
    await maker.go('developer');
    await maker.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill('Half an agent');
    await page.keyboard.press('Escape');
    await maker.reload();
    await maker.button(words.developer.create).first().click();
    expect(await page.getByLabel(words.developer.name, { exact: true }).inputValue()).toBe('Half an agent');
    await maker.button(words.parts.cancel).click();

    await maker.go('bundles#check');
    await write(maker, JSON.stringify({ ...BUNDLE, name: 'Half a bundle' }));
    await unsaved(maker).waitFor();
    await maker.go('skills#publish');
    await write(maker, JSON.stringify({ ...SKILL, name: 'Half a skill' }));
    await unsaved(maker).waitFor();
    await maker.reload();
    await expect.poll(() => editor(maker).textContent()).toContain('Half a skill');
    await maker.go('bundles#check');
    await expect.poll(() => editor(maker).textContent()).toContain('Half a bundle');
  });

  it('WC-1 WC-62 what is typed while a save is on its way stays, and is said to be unsaved', async () => {
    const { maker, agentId } = await makeAgent();
    const { page, words } = maker;
    const { developer } = words;
    const name = page.getByLabel(developer.name, { exact: true });
    /** Lets the server answer no `method` request before it is released. */
    const holdAnswers = async (path: string, method: string) => {
      const [asked, released] = [new Signal(), new Signal()];
      await page.route(path, async (route) => {
        if (route.request().method() !== method) return route.fallback();
        const response = await route.fetch();
        asked.give();
        await released.given;
        return route.fulfill({ response });
      });
      return { asked: asked.given, release: released.give };
    };
    await maker.go(`developer/${agentId}#overview`);
    await name.fill('Sent');
    const saving = await holdAnswers(`**/agents/${agentId}`, 'PATCH');
    await maker.button(words.parts.save).click();
    await saving.asked;
    await name.fill('Sent, and more');
    saving.release();
    await page.getByRole('heading', { name: 'Sent', exact: true }).first().waitFor();
    await expect.poll(() => maker.button(words.parts.save).isEnabled()).toBe(true);
    expect(await name.inputValue()).toBe('Sent, and more');
    await maker.sees(unsaved(maker));
    await maker.reload();
    await expect.poll(() => name.inputValue()).toBe('Sent, and more');
    await maker.sees(unsaved(maker));
    await maker.button(words.parts.save).click();
    await page.getByText(developer.saved, { exact: true }).waitFor();
    expect(await unsaved(maker).count()).toBe(0);
    // Back to what was saved before, while something else is on its way.
    await name.fill('Sent again');
    const back = await holdAnswers(`**/agents/${agentId}`, 'PATCH');
    await maker.button(words.parts.save).click();
    await back.asked;
    await name.fill('Sent, and more');
    back.release();
    await page.getByRole('heading', { name: 'Sent again', exact: true }).first().waitFor();
    await expect.poll(() => maker.button(words.parts.save).isEnabled()).toBe(true);
    expect(await name.inputValue()).toBe('Sent, and more');
    await maker.sees(unsaved(maker));

    await maker.go(`developer/${agentId}#manifest`);
    await write(maker, draftOf('1.2.0'));
    const pushing = await holdAnswers(`**/agents/${agentId}`, 'PATCH');
    await maker.button(developer.push).click();
    await maker.prompt.getByRole('button', { name: developer.push, exact: true }).click();
    await pushing.asked;
    await page.keyboard.press('Escape');
    await maker.prompt.waitFor({ state: 'detached' });
    await write(maker, draftOf('1.3.0'));
    pushing.release();
    await page.getByText(fill(developer.pushed, { version: 2 }), { exact: true }).waitFor();
    expect(await editor(maker).textContent()).toContain('1.3.0');
    await maker.sees(unsaved(maker));
    expect(await page.getByText(developer.conflictTitle, { exact: true }).count()).toBe(0);
    await maker.button(developer.push).click();
    await maker.prompt.getByRole('button', { name: developer.push, exact: true }).click();
    await page.getByText(fill(developer.pushed, { version: 3 }), { exact: true }).waitFor();
    expect(await unsaved(maker).count()).toBe(0);

    await maker.go('skills#publish');
    await write(maker, JSON.stringify({ ...SKILL, id: 'org.held.x', name: 'Sent' }, null, 2));
    const { body: session } = await world.server.call('POST', '/auth/login', { body: maker.credentials });
    await world.server.call('POST', '/skill-namespaces', {
      token: session.access_token,
      body: { namespace: 'org.held' },
    });
    await maker.reload();
    const publishing = await holdAnswers('**/skills', 'POST');
    await maker.button(words.skills.publish).click();
    await maker.prompt.getByRole('button', { name: words.skills.publish, exact: true }).click();
    await publishing.asked;
    await page.keyboard.press('Escape');
    await maker.prompt.waitFor({ state: 'detached' });
    await write(maker, 'Not yet a skill');
    publishing.release();
    await page.getByRole('link', { name: words.skills.publishOpen, exact: true }).waitFor();
    expect(await editor(maker).textContent()).toBe('Not yet a skill');
    await maker.sees(unsaved(maker));
  });

  it('WC-67 a skill that failed leaves its form, after a reload too, and its key nowhere', async () => {
    const provider = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(403, { 'content-type': 'application/json' }).end('{}'));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const maker = await world.signUp();
    const { page, words } = maker;
    const { body: session } = await world.server.call('POST', '/auth/login', { body: maker.credentials });
    const call = (path: string, body: object) => world.server.call('POST', path, { token: session.access_token, body });
    await call('/skill-namespaces', { namespace: 'org.failing' });
    const endpoint = { url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/` };
    expect((await call('/skills', { ...SKILL, id: 'org.failing.x', endpoint })).status).toBe(201);
    try {
      await maker.go('skills/org.failing.x#try');
      await page.getByLabel(/^text/).fill('hello');
      const key = page.getByLabel(fill(words.skills.apiKey, { header: 'X-API-Key' }), { exact: true });
      await key.fill('sk-secret-key');
      await maker.button(words.skills.run).click();
      await page.getByText(words.skills.makers.nextKey, { exact: true }).waitFor();
      expect(await page.getByLabel(/^text/).inputValue()).toBe('hello');
      expect(await key.inputValue()).toBe('sk-secret-key');
      await maker.reload();
      await maker.sees(page.getByLabel(/^text/));
      await expect.poll(() => page.getByLabel(/^text/).inputValue()).toBe('hello');
      expect(await key.inputValue()).toBe('');
    } finally {
      provider.closeAllConnections();
      provider.close();
    }
  });

  it('WC-63 attack on oneself: Escape, a click outside, the way back and closing the tab do not take a token away', async () => {
    const maker = await world.signUp();
    const { page, words } = maker;
    await maker.go('agents');
    await maker.go('developer');
    await maker.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill('Once');
    await maker.prompt.getByRole('button', { name: words.developer.create, exact: true }).click();
    const secret = page.getByTestId('secret');
    await secret.waitFor();
    const token = await secret.textContent();
    const stays = async () => expect(await secret.textContent()).toBe(token);

    await page.keyboard.press('Escape');
    await page.getByText(words.parts.oneTime.asked, { exact: true }).waitFor();
    await stays();
    await page.mouse.click(5, 5);
    await stays();
    await page.goBack();
    await page.getByRole('heading', { name: words.agents.title, exact: true, includeHidden: true }).waitFor();
    await stays();
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await stays();
    // It is in memory only.
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
      token,
    );

    await maker.button(words.parts.secretKept).click();
    await secret.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: words.developer.tab.manifest, selected: true, exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
  });

  it('WC-64 the program to copy runs as it stands, with the token in its settings only', async () => {
    const maker = await world.signUp({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, words } = maker;
    const { makers } = words.developer;
    await maker.go('developer');
    await maker.button(words.developer.create).first().click();
    await page.getByLabel(words.developer.name, { exact: true }).fill('Copied');
    await maker.prompt.getByRole('button', { name: words.developer.create, exact: true }).click();
    const token = (await page.getByTestId('secret').textContent())!;
    await maker.button(words.parts.secretKept).click();
    const copy = async (name: string) => {
      const block = page.getByRole('figure').filter({ hasText: name });
      await page.evaluate(() => navigator.clipboard.writeText(''));
      await block.getByRole('button', { name: words.parts.copy, exact: true }).click();
      const read = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(read).not.toBe('');
      return read();
    };
    await page.getByRole('heading', { name: makers.connect, exact: true }).waitFor();
    const settings = await copy(makers.connectSettings);
    const program = await copy(makers.connectProgram);
    expect(await copy(makers.connectCommands)).not.toContain(token);
    expect(settings).toContain(new URL(page.url()).pathname.split('/').at(-1)!);

    for (const line of `${settings.trim()}${token}`.split('\n')) {
      const [name, value] = line.split('=') as [string, string];
      vi.stubEnv(name, value);
    }
    vi.stubEnv('PARLEY_KEYSTORE', folder);
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    // As a module it would be imported by a name that no check can follow; what it imports is handed in.
    const [, body] = /^import { HasheeAgent } from '@parley\/agent';\n(.*)$/s.exec(program)!;
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const agent = (await new AsyncFunction('HasheeAgent', `${body}return agent;`)(HasheeAgent)) as HasheeAgent;
    try {
      await until(() => log.mock.calls.some(([status]) => status === 'online'));
      await maker.button(words.developer.push).click();
      await maker.prompt.getByRole('button', { name: words.developer.push, exact: true }).click();
      await page.getByText(fill(words.developer.pushed, { version: 1 }), { exact: true }).waitFor();
      const [agentId] = new URL(page.url()).pathname.split('/').slice(-1) as [string];
      await maker.addAgent(agentId, 'Copied');
      await maker.say('hello');
      await maker.thread.getByText('You said: hello', { exact: true }).waitFor();
    } finally {
      log.mockRestore();
      await agent.disconnect();
    }
  });
});
