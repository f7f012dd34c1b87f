import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { activateBundle, rollback, uninstall } from '../src/index.ts';
import { notesKit, researchBundle } from './harness/bundle.ts';
import { makeFolder, PERSONS, takePicture } from './harness/workspace.ts';

const install = (root: string, changes: Record<string, unknown> = {}) =>
  activateBundle({ manifest: researchBundle(changes), roots: { workspace: root }, kitFiles: notesKit() });
const remove = (workspace: string, more: Record<string, unknown> = {}) =>
  uninstall({ workspace, bundleId: 'research-team', ...more });

describe('BA-5 what a person has changed since', () => {
  it('BA-5 text around a block is kept, the block goes', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    const path = join(root, 'AGENTS.md');
    writeFileSync(path, `First line\n${readFileSync(path, 'utf8')}Last line\n`);
    const reply = await remove(root);
    expect(readFileSync(path, 'utf8')).toBe('First line\n# Mine\n\nBe kind.\nLast line\n');
    expect(reply).toMatchObject({ done: true, kept: [{ path: 'AGENTS.md', reason: 'edited_around' }] });
  });

  it('BA-5 a block that was edited is kept and reported', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    const path = join(root, 'AGENTS.md');
    const edited = readFileSync(path, 'utf8').replace('Never writes files', 'Writes whatever it likes');
    writeFileSync(path, edited);
    expect(await remove(root)).toMatchObject({ kept: [{ path: 'AGENTS.md', reason: 'block_edited' }] });
    expect(readFileSync(path, 'utf8')).toBe(edited);
  });

  it('BA-5 an own file that was edited is kept with its folder, the rest goes', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    appendFileSync(join(root, 'skills/notes/SKILL.md'), 'mine\n');
    rmSync(join(root, 'skills/web-search/SKILL.md'));
    expect(await remove(root)).toMatchObject({
      kept: [
        { path: 'skills/notes/SKILL.md', reason: 'edited' },
        { path: 'skills/web-search/SKILL.md', reason: 'gone' },
      ],
    });
    expect(existsSync(join(root, 'skills/notes/SKILL.md'))).toBe(true);
    expect(existsSync(join(root, 'skills/notes/lib'))).toBe(false);
    expect(existsSync(join(root, 'skills/web-search'))).toBe(false);
    expect(existsSync(join(root, '.roleos'))).toBe(false);
  });

  it('BA-5 a file that we made and a person wrote into is kept without the block', async () => {
    const root = makeFolder();
    await install(root);
    appendFileSync(join(root, 'USER.md'), 'I like tea.\n');
    expect(await remove(root)).toMatchObject({ kept: [{ path: 'USER.md', reason: 'edited_around' }] });
    expect(takePicture(root)).toEqual({ 'USER.md': expect.any(String) });
    expect(readFileSync(join(root, 'USER.md'), 'utf8')).toBe('I like tea.\n');
  });

  it.each([
    ['an own file', 'skills/notes/SKILL.md', 'FILE_EDITED', (text: string) => `${text}mine\n`],
    ['a block', 'AGENTS.md', 'BLOCK_EDITED', (text: string) => text.replace('Analyst', 'Anarchist')],
    ['markers', 'AGENTS.md', 'BLOCK_BROKEN', (text: string) => text.replace('<!-- roleos:end research-team -->', '')],
  ])('BA-3 an upgrade over an edit of %s is refused', async (_, path, code, edit) => {
    const root = makeFolder(PERSONS);
    await install(root);
    writeFileSync(join(root, path), edit(readFileSync(join(root, path), 'utf8')));
    const before = takePicture(root);
    const result = await install(root, {
      version: '2.0.0',
      roles: [
        { id: 'analyst', label: 'Other', isEntry: true },
        { id: 'writer', label: 'Writer' },
      ],
      kits: [{ id: 'notes', label: 'Other notes', capabilities: ['x'] }],
    });
    expect(result).toMatchObject({ ok: false, failure: { code: 'WORKSPACE_CONFLICT', conflicts: [{ code, path }] } });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-3 a block of a bundle that is not installed is nobody’s to replace', async () => {
    const root = makeFolder({
      'AGENTS.md': '<!-- roleos:begin research-team -->\n<!-- roleos:end research-team -->\n',
    });
    expect(await install(root)).toMatchObject({
      failure: { conflicts: [{ code: 'BLOCK_FOREIGN', path: 'AGENTS.md' }] },
    });
  });
});

describe('BA-5 originals that are gone', () => {
  it('BA-5 an uninstall without its snapshot still restores every byte', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    rmSync(join(root, '.roleos/snapshots'), { recursive: true });
    expect(await remove(root)).toMatchObject({ done: true, kept: [] });
    for (const [path, text] of Object.entries(PERSONS)) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it('BA-5 attack: an original that was exchanged is not put back', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    const [snapshot = ''] = readdirSync(join(root, '.roleos/snapshots'));
    const folder = join(root, '.roleos/snapshots', snapshot);
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'evil\n');
    expect(await remove(root)).toMatchObject({ done: true, kept: [] });
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(PERSONS['AGENTS.md']);
  });

  it('BA-5 a rollback that has lost the old files changes nothing', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    await install(root, { version: '2.0.0', summary: 'Another one.' });
    rmSync(join(root, '.roleos/snapshots'), { recursive: true });
    const before = takePicture(root);
    const attempt = rollback({ workspace: root, bundleId: 'research-team' });
    await expect(attempt).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
    expect(takePicture(root)).toEqual(before);
  });

  it('BA-5 activating the same once more does not forget the version before', async () => {
    const root = makeFolder(PERSONS);
    await install(root);
    await install(root, { version: '2.0.0', summary: 'Another one.' });
    await install(root, { version: '2.0.0', summary: 'Another one.' });
    expect(await rollback({ workspace: root, bundleId: 'research-team' })).toMatchObject({
      version: '1.0.0',
      kept: [],
    });
  });
});

describe('BN-7 strategies', () => {
  it('BN-7 remove-created keeps no originals and still restores every byte', async () => {
    const root = makeFolder(PERSONS);
    const result = await install(root, { rollbackProfile: { snapshotEnabled: true, strategy: 'remove-created' } });
    expect(result).toMatchObject({ ok: true, reply: { snapshotId: null } });
    await remove(root);
    for (const [path, text] of Object.entries(PERSONS)) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
    expect(existsSync(join(root, 'ROLEOS.md'))).toBe(false);
  });

  it('BN-7 without snapshots nothing is kept, and every byte comes back', async () => {
    const root = makeFolder(PERSONS);
    const result = await install(root, { rollbackProfile: { snapshotEnabled: false, strategy: 'restore-snapshot' } });
    expect(result).toMatchObject({ ok: true, reply: { snapshotId: null } });
    await remove(root);
    for (const [path, text] of Object.entries(PERSONS)) expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it('BN-7 manual says what to do and does nothing until it is done', async () => {
    const root = makeFolder(PERSONS);
    await install(root, { rollbackProfile: { snapshotEnabled: true, strategy: 'manual' } });
    const before = takePicture(root);
    const reply = await remove(root);
    expect(reply).toMatchObject({ done: false });
    expect(!reply.done && reply.manual).toEqual(
      expect.arrayContaining([
        { path: 'AGENTS.md', remove: 'block' },
        { path: 'USER.md', remove: 'file' },
        { path: 'skills/notes/SKILL.md', remove: 'file' },
      ]),
    );
    expect(takePicture(root)).toEqual(before);
    expect(await remove(root, { evenIfManual: true })).toMatchObject({ done: true });
    expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(PERSONS['AGENTS.md']);
  });
});
