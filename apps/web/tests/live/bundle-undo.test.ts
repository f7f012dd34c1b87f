import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/screens/bundles/example.ts';
import { EXAMPLE as SKILL } from '../../src/screens/skills/example.ts';
import { fill, type Person, useWorld } from './harness/index.ts';

describe('WC-61, WC-65 whose a bundle is, and the way back from it', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'parley-web-undo-'));
  const world = useWorld(() => ({ workspaces: { desk: workspace } }));
  beforeEach(() => {
    for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true });
    writeFileSync(join(workspace, 'AGENTS.md'), '# Mine\n');
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  /** Signed in beside the page, as who may activate bundles. */
  async function signUpOperator(language: 'en' | 'zh-CN' = 'en') {
    const person = await world.signUp({ language });
    const { body } = await world.server.call('POST', '/auth/login', { body: person.credentials });
    await world.server.makeOperator(body.user_id);
    const token = body.access_token as string;
    const activate = async (version: string, more: object = {}) => {
      const manifest = { ...EXAMPLE, id: 'to-undo', name: 'To undo', version, ...more };
      const reply = await world.server.call('POST', '/api/activate', { token, body: { manifest, workspace: 'desk' } });
      expect(reply.status).toBe(200);
    };
    return { person, token, activate };
  }
  const read = () => readFileSync(join(workspace, 'AGENTS.md'), 'utf8');
  const confirm = ({ prompt }: Person, name: string) => prompt.getByRole('button', { name, exact: true }).click();

  it('WC-65 BA-5 the last activation is undone in the page: seen first, then exactly that, then it is gone', async () => {
    const { person, activate } = await signUpOperator();
    const { page, words } = person;
    const { undo } = words.bundles;
    await activate('1.0.0', { roles: EXAMPLE.roles.map((role) => ({ ...role, purpose: 'The first purpose' })) });
    const first = read();
    await activate('1.1.0');
    expect(read()).not.toBe(first);

    await person.go('bundles#active');
    await person.button(fill(undo.back, { version: '1.0.0' })).click();
    const dialog = person.prompt;
    await dialog.getByText('AGENTS.md', { exact: true }).waitFor();
    expect(read()).not.toBe(first);
    await confirm(person, fill(undo.back, { version: '1.0.0' }));
    const returned = fill(undo.returned, { name: 'To undo', workspace: 'desk', version: '1.0.0' });
    await page.getByText(returned, { exact: true }).waitFor();
    expect(read()).toBe(first);
    await page.keyboard.press('Escape');

    // Now there is nothing before it: undoing removes it, and leaves what a person wrote since.
    appendFileSync(join(workspace, 'AGENTS.md'), 'And this\n');
    await person.button(undo.undo).click();
    await dialog.getByText(undo.kept, { exact: true }).waitFor();
    await confirm(person, undo.remove);
    const removed = fill(undo.removed, { name: 'To undo', workspace: 'desk' });
    await page.getByText(removed, { exact: true }).waitFor();
    expect(read()).toBe('# Mine\nAnd this\n');
    await page.keyboard.press('Escape');
    await page.getByText(undo.none, { exact: true }).waitFor();
  });

  it('WC-65 BA-5 what changed since it was seen is not undone: the new plan is shown, in Chinese', async () => {
    const { person, activate } = await signUpOperator('zh-CN');
    const { page, words } = person;
    const { undo } = words.bundles;
    await activate('1.0.0');
    await person.go('bundles#active');
    await person.button(undo.undo).click();
    await person.prompt.getByText('AGENTS.md', { exact: true }).waitFor();
    appendFileSync(join(workspace, 'AGENTS.md'), 'Meanwhile\n');
    const before = read();
    await confirm(person, undo.remove);
    await person.prompt.getByRole('alert').waitFor();
    expect(read()).toBe(before);
    await person.sees(person.prompt.getByText(undo.kept, { exact: true }));
    await confirm(person, undo.remove);
    await page.getByText(fill(undo.removed, { name: 'To undo', workspace: 'desk' }), { exact: true }).waitFor();
    expect(read()).toBe('# Mine\nMeanwhile\n');
  });

  it('WC-65 a bundle that is to be removed by hand is removed when the person says so; nobody else sees any of it', async () => {
    const { person, token, activate } = await signUpOperator();
    const { page, words } = person;
    const { undo } = words.bundles;
    const rollbackProfile = { snapshotEnabled: true, strategy: 'manual' };
    await activate('1.0.0', { rollbackProfile });
    const manifest = { ...EXAMPLE, id: 'to-undo', name: 'To undo', rollbackProfile };
    expect((await world.server.call('POST', '/bundles', { token, body: { manifest } })).status).toBe(201);
    await person.go('bundles/to-undo');
    await person.button(undo.undo).click();
    await person.prompt.getByLabel(undo.manual, { exact: true }).waitFor();
    const button = person.prompt.getByRole('button', { name: undo.remove, exact: true });
    expect(await button.isDisabled()).toBe(true);
    await person.prompt.getByLabel(undo.manual, { exact: true }).check();
    await button.click();
    await page.getByText(fill(undo.removed, { name: 'To undo', workspace: 'desk' }), { exact: true }).waitFor();
    expect(existsSync(join(workspace, '.roleos'))).toBe(false);
    await page.keyboard.press('Escape');

    const other = await world.signUp();
    await other.go('bundles');
    await other.page.getByRole('tab', { name: words.bundles.tab.check, exact: true }).waitFor();
    await other.go('bundles/to-undo');
    await other.page.getByRole('heading', { name: 'To undo', exact: true }).waitFor();
    expect(await other.page.getByText(undo.active, { exact: true }).count()).toBe(0);
  });

  it('WC-61 attack: a bundle and a skill that name someone else show the account that published them', async () => {
    const [mallory, parley] = [
      await world.signUp({ name: 'Parley' }),
      await world.signUpStranger({ name: 'Parley', language: 'zh-CN' }),
    ];
    const publish = async (person: Person, name: string) => {
      const { body } = await world.server.call('POST', '/auth/login', { body: person.credentials });
      const call = async (path: string, send: object) => {
        const reply = await world.server.call('POST', path, { token: body.access_token, body: send });
        expect([path, reply.status]).toEqual([path, 201]);
      };
      await call('/bundles', { manifest: { ...EXAMPLE, id: name, name: `Bundle ${name}`, author: 'The Parley team' } });
      await call('/skill-namespaces', { namespace: `org.${name}` });
      const provider = { name: 'The Parley team' };
      await call('/skills', { ...SKILL, id: `org.${name}.skill`, name: `Skill ${name}`, provider });
      const { body: read } = await world.server.call('GET', `/bundles/${name}`);
      return { id: body.user_id as string, mark: read.owner.account_mark as string };
    };
    const [evil, good] = [await publish(mallory, 'evil'), await publish(parley, 'good')];
    expect(evil.mark).not.toBe(good.mark);
    for (const person of [mallory, parley]) {
      const { page, words } = person;
      const { by, account } = words.parts.publisher;
      await person.go('bundles');
      const inList = page.getByRole('listitem').filter({ hasText: 'Bundle evil' });
      await person.sees(inList.first());
      // Chinese sentences have no spaces between their parts.
      const gap = person.locale === 'en' ? ' ' : '';
      const said = `Parley${gap}${fill(account, { mark: evil.mark })}`;
      expect(await inList.first().textContent()).toContain(`${by}${gap}${said}`);
      expect(await inList.first().textContent()).not.toContain('The Parley team');
      await person.go('bundles/evil');
      const unchecked = page.getByText(words.bundles.undo.author, { exact: true });
      await unchecked.waitFor();
      expect(await page.getByRole('main').textContent()).toContain(said);

      await person.go('skills');
      const skill = page.getByRole('listitem').filter({ hasText: 'Skill good' });
      await person.sees(skill.first());
      expect(await skill.first().textContent()).toContain(good.mark);
      expect(await skill.first().textContent()).not.toContain('The Parley team');
      await person.go('skills/org.good.skill');
      await page.getByText(words.skills.makers.provider, { exact: true }).waitFor();
      expect(await page.getByRole('main').textContent()).toContain(good.mark);
    }
    expect(await mallory.page.content()).not.toContain(good.id);
  });
});
