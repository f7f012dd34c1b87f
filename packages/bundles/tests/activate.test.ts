import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { activateBundle, rollback, statusOf, uninstall } from '../src/index.ts';
import { NOTES, notesKit, researchBundle } from './harness/bundle.ts';
import { makeFolder, PERSONS, takeOutline, takePicture } from './harness/workspace.ts';

const install = (root: string, changes: Record<string, unknown> = {}, more: Record<string, unknown> = {}) =>
  activateBundle({ manifest: researchBundle(changes), roots: { workspace: root }, kitFiles: notesKit(), ...more });

describe('BA-2 activation', () => {
  it('BA-2 answers with what was done', async () => {
    const root = makeFolder(PERSONS);
    const result = await install(root);
    expect(result).toMatchObject({
      ok: true,
      reply: {
        bundleName: 'Research team',
        bundleId: 'research-team',
        version: '1.0.0',
        workspace: root,
        entryRole: 'analyst',
        snapshotId: expect.stringMatching(/^s-[0-9a-f]{16}$/),
        assertions: [],
        filesModified: ['AGENTS.md', 'SOUL.md', 'TOOLS.md'],
      },
    });
    expect(result.ok && result.reply.filesCreated).toEqual(
      expect.arrayContaining([
        'IDENTITY.md',
        'ROLEOS.md',
        'USER.md',
        'skills/notes/SKILL.md',
        'skills/notes/lib/notes.js',
      ]),
    );
  });

  it('BA-4 writes instructions, skills, routes and its own records', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(read('AGENTS.md')).toMatch(/^# Mine\n\nBe kind\.\n\n<!-- roleos:begin research-team -->\n/);
    expect(read('AGENTS.md')).toContain('Never writes files');
    expect(read('AGENTS.md')).toContain('Thinking: high');
    expect(read('AGENTS.md')).toContain('Thinking: off');
    expect(read('ROLEOS.md')).toContain('analyst → writer (sequential): facts are in');
    expect(read('skills/web-search/SKILL.md')).toContain('name: "web-search"');
    expect(statSync(join(root, 'skills/notes/run.sh')).mode & 0o111).toBe(0o111);
    expect(JSON.parse(read('.roleos/bundles/research-team/mcp.json'))).toEqual({
      mcpServers: { 'web-search': { command: 'npx', args: ['search-server'] } },
    });
    expect(JSON.parse(read('.roleos/bundles/research-team/manifest.json'))).toEqual(researchBundle());
    expect(JSON.parse(read('.roleos/bundles/research-team/lock.json')).kits.notes.digest).toMatch(
      /^sha256:[0-9a-f]{64}$/,
    );
  });

  it('BN-1, BA-4 writes the description of the bundle next to who made it', async () => {
    const root = makeFolder(PERSONS);
    await install(root, { description: 'Looks things up.\nSays where from.' });
    expect(readFileSync(join(root, 'IDENTITY.md'), 'utf8')).toContain('> Says where from.');
  });

  it('BA-5 install and uninstall leave every byte, mode and time as it was', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    await install(root);
    expect(takePicture(root)).not.toEqual(before);
    const reply = await uninstall({ workspace: root, bundleId: 'research-team' });
    expect(reply).toMatchObject({ done: true, kept: [] });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-5 the plain folder comes and goes as well', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    await install(root, {}, { target: 'plain' });
    expect(readFileSync(join(root, 'roles/analyst.md'), 'utf8')).toContain('Thinking: deep');
    await uninstall({ workspace: root, bundleId: 'research-team' });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-5 two bundles in any order leave nothing behind', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const other = { id: 'other', roles: [{ id: 'cook', label: 'Cook' }], kits: [], teams: [], mode: 'single' };
    expect(await install(root)).toMatchObject({ ok: true });
    expect(await install(root, other)).toMatchObject({ ok: true });
    await uninstall({ workspace: root, bundleId: 'research-team' });
    expect((await statusOf(root)).bundles).toMatchObject([{ id: 'other', drift: [] }]);
    await uninstall({ workspace: root, bundleId: 'other' });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-2 an upgrade replaces the old version, and a rollback brings it back', async () => {
    const root = makeFolder(PERSONS);
    const empty = takePicture(root);
    await install(root);
    const first = takeOutline(root);
    const kits = [
      ...(researchBundle().kits as object[]).slice(1),
      { id: 'mail', label: 'Mail', capabilities: ['Send'] },
    ];
    const roles = [
      { id: 'analyst', label: 'Chief analyst', isEntry: true, kits: ['notes'] },
      { id: 'writer', label: 'Writer' },
    ];
    const upgraded = await install(root, { version: '2.0.0', kits, roles });
    expect(upgraded).toMatchObject({
      ok: true,
      reply: { filesRemoved: expect.arrayContaining(['skills/web-search/SKILL.md']) },
    });
    expect(takeOutline(root)).not.toEqual(first);
    expect(await rollback({ workspace: root, bundleId: 'research-team' })).toMatchObject({
      version: '1.0.0',
      kept: [],
    });
    expect(takeOutline(root)).toEqual(first);
    expect((await statusOf(root)).bundles).toMatchObject([{ version: '1.0.0', drift: [], previousVersion: null }]);
    await uninstall({ workspace: root, bundleId: 'research-team' });
    expect(takePicture(root)).toEqual(empty);
  });

  it('BA-5 an upgrade and an uninstall without a rollback leave nothing either', async () => {
    const root = makeFolder(PERSONS);
    const empty = takePicture(root);
    await install(root);
    await install(root, { version: '2.0.0', summary: 'Another one.' });
    await uninstall({ workspace: root, bundleId: 'research-team' });
    expect(takePicture(root)).toEqual(empty);
  });

  it('BA-2 refuses a plan that is not the one agreed to', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const result = await install(root, {}, { planDigest: `sha256:${'0'.repeat(64)}` });
    expect(result).toMatchObject({ ok: false, failure: { code: 'PLAN_CHANGED' } });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-2 an invalid manifest is answered with the validation', async () => {
    const root = makeFolder();
    const result = await install(root, { roles: [] });
    expect(result).toMatchObject({ ok: false, failure: { code: 'BUNDLE_INVALID', validation: { valid: false } } });
    expect(takePicture(root)).toEqual({});
  });

  it('BN-9 a false assertion about the plan stops before anything is written', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const assertions = [{ id: 'few', expr: 'plan.files.size() < 2' }];
    const result = await install(root, { assertions });
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'ASSERTION_FAILED', assertions: [{ id: 'few', passed: false }] },
    });
    expect(takePicture(root)).toEqual(before);
  });

  it('BN-9 a false assertion about the workspace rolls everything back', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const assertions = [
      { id: 'name', expr: 'bundle.id == "research-team"' },
      { id: 'there', expr: '"AGENTS.md" in workspace.paths' },
      { id: 'not-there', expr: '"nowhere" in workspace.paths' },
    ];
    expect(await install(root, { assertions })).toMatchObject({
      ok: false,
      failure: {
        code: 'ASSERTION_FAILED',
        assertions: [{ passed: true }, { passed: true, phase: 'after' }, { passed: false }],
      },
    });
    expect(takePicture(root)).toEqual(before);
    expect(await install(root, { assertions: assertions.slice(0, 2) })).toMatchObject({ ok: true });
  });

  it('BA-8 an interrupted activation puts everything back', async () => {
    const root = makeFolder(PERSONS);
    const before = takePicture(root);
    const controller = new AbortController();
    const onProgress = ({ step }: { step: string }) => step === 'write' && controller.abort();
    await expect(install(root, {}, { signal: controller.signal, onProgress })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-2 the same bundle again changes nothing but the record', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    const outline = takeOutline(root);
    expect(await install(root)).toMatchObject({ ok: true, reply: { filesCreated: [], filesModified: [] } });
    expect(takeOutline(root)).toEqual(outline);
  });

  it('BA-6 the bytes of a kit are the bytes that were hashed', async () => {
    const root = makeFolder();
    await install(root);
    expect(readFileSync(join(root, 'skills/notes/lib/notes.js'))).toEqual(NOTES[0]!.bytes);
  });
});
