import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/screens/bundles/example.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

const PASSWORD = 'correct horse battery';

describe('BV-2, BA-1, BA-2 bundles in a browser', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'parley-web-bundles-'));
  const world = useWorld(() => ({ workspaces: { desk: workspace } }));
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  async function publish(person: Person, manifest: object): Promise<void> {
    const body = { email: person.email, account_password: PASSWORD };
    const { body: session } = await world.server.call('POST', '/auth/login', { body });
    const token = session.access_token;
    const { status } = await world.server.call('POST', '/bundles', { token, body: { manifest } });
    expect(status).toBe(201);
  }
  const openTab = (person: Person, name: string) => person.page.getByRole('tab', { name, exact: true }).click();

  it('BA-2 the operator looks at the plan, then activates exactly it', async () => {
    // The first account is the operator's.
    const ada = await world.signUp();
    const { page, words } = ada;
    await publish(ada, { ...EXAMPLE, id: 'to-activate', name: 'To activate' });
    await ada.go('bundles/to-activate');
    await ada.button(words.bundles.activate).click();
    await ada.button(words.bundles.look).click();
    await page.getByRole('dialog').getByText('AGENTS.md', { exact: true }).waitFor();
    expect(existsSync(join(workspace, 'AGENTS.md'))).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.activate }).click();
    const done = { name: 'To activate', version: '1.0.0', workspace: 'desk' };
    await page.getByText(fill(words.bundles.activated, done)).waitFor();
    expect(readFileSync(join(workspace, 'AGENTS.md'), 'utf8')).toContain('Researcher');
  });

  it('BV-2 one’s own manifest is checked on six levels, published, found, and yanked, in Chinese', async () => {
    const ada = await world.signUp({ language: 'zh-CN' });
    const { page, words } = ada;
    await ada.go('bundles#check');
    await ada.button(words.bundles.example).click();
    await page.getByText(fill(words.bundles.levelsLead, { passed: 6, total: 6 })).waitFor();

    // An edge to nobody is an error of the second level, and there is nothing to publish.
    const editor = page.locator('.cm-content').first();
    await editor.click();
    await page.keyboard.press('Control+a');
    const broken = { ...EXAMPLE, roles: [{ id: 'researcher', label: 'R', kits: ['notes'] }] };
    await page.keyboard.insertText(JSON.stringify(broken));
    await page.getByText(fill(words.bundles.levelsLead, { passed: 5, total: 6 })).waitFor();
    expect(await ada.button(words.bundles.publish).isDisabled()).toBe(true);
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(EXAMPLE));
    await ada.button(words.bundles.publish).click();
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.publish }).click();
    await page.getByRole('link', { name: words.bundles.publishedOpen }).click();

    // The same edges as a drawing and as a list.
    await page.getByRole('heading', { name: EXAMPLE.name }).waitFor();
    await openTab(ada, words.bundles.inside.graph);
    await page.getByRole('img', { name: fill(words.bundles.graphLabel, { team: 'Desk' }) }).waitFor();
    const edges = page.getByRole('listitem').filter({ hasText: words.bundles.edge.sequential });
    expect(await edges.textContent()).toMatch(/Researcher[\s\S]*Writer/);

    // Nobody else's business, so there is nothing to activate in.
    expect(await ada.button(words.bundles.activate).count()).toBe(0);
    await ada.button(words.bundles.yank).click();
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.yank }).click();
    await page.getByText(words.bundles.yankedNotice).waitFor();
    await ada.go('bundles');
    await page.getByRole('searchbox').fill(EXAMPLE.name);
    await page.getByText(words.bundles.none).waitFor();
    ada.forgive(/Applying inline style/);
  });

  it('BA-1 attack: markup, Markdown and script addresses of a bundle stay text', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const evil = '<img src=x onerror=alert(1)> [x](javascript:alert(1))';
    await publish(ada, {
      ...EXAMPLE,
      id: 'evil',
      name: `${evil} \u202eevil`,
      summary: evil,
      roles: EXAMPLE.roles.map((role) => ({ ...role, label: evil, purpose: evil })),
      kits: EXAMPLE.kits.map((kit) => ({ ...kit, label: evil })),
    });
    await ada.go('bundles/evil');
    await page.getByRole('heading', { name: `${evil} [U+202E]evil` }).waitFor();
    for (const part of ['overview', 'permissions', 'graph', 'preview', 'files', 'source'] as const) {
      await openTab(ada, words.bundles.inside[part]);
      await expect.poll(() => page.getByRole('tabpanel').textContent()).not.toBe('');
      await expect.poll(() => page.locator('[role=tabpanel] .animate-spin').count()).toBe(0);
      expect(await page.locator('main img, main script, main a[href^="javascript" i]').count()).toBe(0);
    }
  });
});
