import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/screens/bundles/example.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

const PASSWORD = 'correct horse battery';

describe('BV-2, BA-1, BA-2 bundles in a browser', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'parley-web-bundles-'));
  const world = useWorld(() => ({ workspaces: { desk: workspace } }));
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  /** Returns whose it is. */
  async function publish(person: Person, manifest: object): Promise<string> {
    const body = { email: person.email, account_password: PASSWORD };
    const { body: session } = await world.server.call('POST', '/auth/login', { body });
    const token = session.access_token;
    const { status } = await world.server.call('POST', '/bundles', { token, body: { manifest } });
    expect(status).toBe(201);
    return session.user_id;
  }
  const openTab = (person: Person, name: string) => person.page.getByRole('tab', { name, exact: true }).click();

  it('BA-2 the operator looks at the plan, then activates exactly it', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    await world.server.makeOperator(await publish(ada, { ...EXAMPLE, id: 'to-activate', name: 'To activate' }));
    await ada.go('bundles/to-activate');
    await ada.button(words.bundles.activate).click();
    await ada.button(words.bundles.look).click();
    await page.getByRole('dialog').getByText('AGENTS.md', { exact: true }).waitFor();
    expect(existsSync(join(workspace, 'AGENTS.md'))).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.activate, exact: true }).click();
    const done = { name: 'To activate', version: '1.0.0', workspace: 'desk' };
    await page.getByText(fill(words.bundles.activated, done), { exact: true }).waitFor();
    expect(readFileSync(join(workspace, 'AGENTS.md'), 'utf8')).toContain('Researcher');
  });

  it('BV-2 one’s own manifest is checked on six levels, published, found, and yanked, in Chinese', async () => {
    const ada = await world.signUp({ language: 'zh-CN' });
    const { page, words } = ada;
    await ada.go('bundles#check');
    await ada.button(words.parts.startExample).click();
    await page.getByText(fill(words.bundles.levelsLead, { passed: 6, total: 6 }), { exact: true }).waitFor();

    // An edge to nobody is an error of the second level, and there is nothing to publish.
    const editor = page.locator('.cm-content').first();
    await editor.click();
    await page.keyboard.press('Control+a');
    const broken = { ...EXAMPLE, roles: [{ id: 'researcher', label: 'R', kits: ['notes'] }] };
    await page.keyboard.insertText(JSON.stringify(broken));
    await page.getByText(fill(words.bundles.levelsLead, { passed: 5, total: 6 }), { exact: true }).waitFor();
    expect(await ada.button(words.bundles.publish).isDisabled()).toBe(true);
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify(EXAMPLE));
    await ada.button(words.bundles.publish).click();
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.publish, exact: true }).click();
    await page.getByRole('link', { name: words.bundles.publishedOpen, exact: true }).click();

    // The same edges as a drawing and as a list.
    await page.getByRole('heading', { name: EXAMPLE.name, exact: true }).waitFor();
    await openTab(ada, words.bundles.inside.graph);
    await page.getByRole('figure', { name: fill(words.bundles.graphLabel, { team: 'Desk' }), exact: true }).waitFor();
    const edges = page.getByRole('listitem').filter({ hasText: words.bundles.edge.sequential });
    expect(await edges.textContent()).toMatch(/Researcher[\s\S]*Writer/);

    // Nobody else's business, so there is nothing to activate in.
    expect(await ada.button(words.bundles.activate).count()).toBe(0);
    await ada.button(words.bundles.yank).click();
    await page.getByRole('dialog').getByRole('button', { name: words.bundles.yank, exact: true }).click();
    await page.getByText(words.bundles.yankedNotice, { exact: true }).waitFor();
    await ada.go('bundles');
    await page.getByRole('searchbox').fill(EXAMPLE.name);
    await page.getByText(words.bundles.none, { exact: true }).waitFor();
  });

  it('BV-3, BV-4 a bundle is published with the files of its kits, from its folder and one by one', async () => {
    const ada = await world.signUp();
    const { page, words } = ada;
    const folder = mkdtempSync(join(tmpdir(), 'parley-web-folder-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('manifest.json', JSON.stringify({ ...EXAMPLE, id: 'with-files', name: 'With files' }));
    write('README.md', 'not of a kit');
    write('kits/notes/SKILL.md', '# Notes');
    write('kits/notes/scripts/list.sh', 'ls');
    write('kits/stray/a.txt', 'of no kit');
    write('more/con.txt', 'a device, on some systems');
    write('more/extra.md', '<b>extra</b>');
    const choose = async (button: string, paths: string | string[]) => {
      const opening = page.waitForEvent('filechooser');
      await ada.button(button).first().click();
      await (await opening).setFiles(paths);
    };
    try {
      await ada.go('bundles#check');
      await choose(words.bundles.openFolder, join(folder, 'kits'));
      await page.getByText(words.bundles.folderNoManifest, { exact: true }).waitFor();
      await choose(words.bundles.openFolder, folder);
      await page.getByText(fill(words.bundles.filesProblem.unknownKit, { kit: 'stray' }), { exact: true }).waitFor();
      expect(await ada.button(words.bundles.publish).isDisabled()).toBe(true);
      const stray = page.getByRole('group', { name: 'stray', exact: true });
      await stray.getByRole('button', { name: words.bundles.clearFiles, exact: true }).click();

      // What the registry would refuse is said before anything is sent.
      await choose(words.bundles.addFiles, [join(folder, 'more/con.txt'), join(folder, 'more/extra.md')]);
      await page
        .getByText(fill(words.bundles.filesProblem.unsafePath, { kit: 'notes', path: 'con.txt' }), { exact: true })
        .waitFor();
      expect(await ada.button(words.bundles.publish).isDisabled()).toBe(true);
      await ada.button(words.bundles.clearFiles).click();
      await choose(words.bundles.addFolder, join(folder, 'kits/notes'));
      await choose(words.bundles.addFiles, [join(folder, 'more/extra.md')]);
      await ada.button(words.bundles.publish).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(fill(words.bundles.publishFiles_other, { count: 3 }), { exact: true }).waitFor();
      await dialog.getByRole('button', { name: words.bundles.publish, exact: true }).click();
      await page.getByRole('link', { name: words.bundles.publishedOpen, exact: true }).waitFor();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    const { body } = await world.server.call('GET', '/bundles/with-files');
    const paths = body.kits.notes.files.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['SKILL.md', 'extra.md', 'scripts/list.sh']);
    const file = await fetch(`${world.server.url}/bundles/with-files/versions/1.0.0/kits/notes/files/extra.md`);
    expect(await file.text()).toBe('<b>extra</b>');
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
    await page.getByRole('heading', { name: `${evil} [U+202E]evil`, exact: true }).waitFor();
    for (const part of ['overview', 'permissions', 'graph', 'preview', 'files', 'source'] as const) {
      await openTab(ada, words.bundles.inside[part]);
      await expect.poll(() => page.getByRole('tabpanel').textContent()).not.toBe('');
      await expect.poll(() => page.locator('[role=tabpanel] .animate-spin').count()).toBe(0);
      expect(await page.locator('main img, main script, main a[href^="javascript" i]').count()).toBe(0);
    }
  });
});
