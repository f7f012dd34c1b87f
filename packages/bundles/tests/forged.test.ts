import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { nodeFiles } from '../src/files/file-system.ts';
import { withLock } from '../src/files/lock.ts';
import { activateBundle, importSkillFolder, recover, rollback, startWorkspaceSession, statusOf } from '../src/index.ts';
import { sha256 } from '../src/sha256.ts';
import { notesKit, researchBundle, tinyBundle } from './harness/bundle.ts';
import { makeFolder, takePicture } from './harness/workspace.ts';

const HOOK = '.git/hooks/post-checkout';
const EVIL = '#!/bin/sh\necho pwned\n';

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** A repository may contain anything but `.git`: its clone must not get there through our recovery either. */
describe('BA-3 attack: a cloned repository brings a .roleos of its own', () => {
  const clone = () => {
    const root = makeFolder();
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    return root;
  };
  const forge = (root: string, journal: object) =>
    put(
      root,
      '.roleos/journal.json',
      JSON.stringify({ version: 1, id: 't-1', snapshot: null, entries: [], made: [], removed: [], ...journal }),
    );
  const asks = {
    recover,
    statusOf,
    startWorkspaceSession: (workspace: string) => startWorkspaceSession({ workspace }),
  };

  it.each(Object.entries(asks))('BA-3 a forged journal plants no git hook (%s)', async (_, ask) => {
    const root = clone();
    put(root, '.roleos/tx/t-1/old-0', EVIL);
    chmodSync(join(root, '.roleos/tx/t-1/old-0'), 0o755);
    forge(root, { entries: [{ path: HOOK, before: sha256(EVIL), after: null, keep: false }] });
    await expect(ask(root)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
    expect(existsSync(join(root, HOOK))).toBe(false);
  });

  it.each([
    '.git/config',
    '.GIT/config',
    'skills/x/.git/config',
    'skills/x/GIT~1/config',
    '.env',
    'package.json',
    '.roleos/locks/x',
    '.roleos/journal.json',
  ])('BA-3 a forged journal removes nothing that no bundle can have put there: %s', async (path) => {
    const root = clone();
    put(root, path, 'known\n');
    const before = readFileSync(join(root, path), 'utf8');
    if (path !== '.roleos/journal.json')
      forge(root, { entries: [{ path, before: null, after: sha256('known\n'), keep: false }] });
    await expect(recover(root)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
    expect(readFileSync(join(root, path), 'utf8')).toBe(before);
  });

  it('BA-3 a forged journal makes and removes no folder of a person', async () => {
    const root = clone();
    forge(root, { made: ['.git/hooks'], removed: [{ path: '.git/refs', mode: 0o777 }] });
    await expect(recover(root)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
    expect(existsSync(join(root, '.git/hooks'))).toBe(true);
    expect(existsSync(join(root, '.git/refs'))).toBe(false);
  });

  it('BA-5 a forged record of an earlier version rolls no git hook back', async () => {
    const root = clone();
    await activateBundle({ manifest: tinyBundle(), roots: { workspace: root } });
    const file = join(root, '.roleos/state.json');
    const state = JSON.parse(readFileSync(file, 'utf8'));
    const { previous: _, ...bundle } = state.bundles[0];
    put(root, '.roleos/snapshots/s-1/0', EVIL);
    state.bundles[0].previous = {
      bundle: { ...bundle, files: [{ kind: 'own', path: HOOK, digest: sha256(EVIL) }] },
      kept: { [HOOK]: '.roleos/snapshots/s-1/0' },
      blocks: {},
    };
    writeFileSync(file, JSON.stringify(state));
    await expect(rollback({ workspace: root, bundleId: 'tiny' })).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
    expect(existsSync(join(root, HOOK))).toBe(false);
  });

  it.each(['.git/config', 'deep/.Git/hooks/x', 'git~1/config'])(
    'BV-5 a kit brings no repository of its own, whose settings git would run: %s',
    async (path) => {
      const root = makeFolder();
      const kitFiles = notesKit([{ path, bytes: Buffer.from('[core]\n\tfsmonitor = evil\n') }]);
      const result = await activateBundle({ manifest: researchBundle(), roots: { workspace: root }, kitFiles });
      expect(result).toMatchObject({ ok: false, failure: { code: 'WORKSPACE_CONFLICT' } });
      expect(takePicture(root)).toEqual({});
    },
  );
});

describe('BA-6 attack: a lock file of a stranger', () => {
  it.each([
    '{"kits":{"a":null}}',
    '{"kits":{"a":{"lockedAt":"2020-01-01","updateCheckInterval":-1e300}}}',
    '{"kits":{"a":{"lockedAt":5,"updateCheckInterval":1,"clawHubRef":{}}}}',
    '{"kits":[1]}',
  ])('BN-4 status bears %s', async (lock) => {
    const root = makeFolder();
    await activateBundle({ manifest: tinyBundle(), roots: { workspace: root } });
    const [file, path] = [join(root, '.roleos/state.json'), '.roleos/bundles/tiny/lock.json'];
    const digest = sha256(readFileSync(join(root, path)));
    put(root, path, lock);
    writeFileSync(file, readFileSync(file, 'utf8').replace(digest, sha256(lock)));
    expect(await statusOf(root)).toMatchObject({ bundles: [{ id: 'tiny', drift: [] }], dueUpdates: [] });
  });
});

describe('BA-8 attack: a record of a stranger writes on the terminal', () => {
  const ESCAPE = '2020-01-01T00:00:00.000Z (\u001b]0;owned\u0007)';

  it.each([
    ['the time of a session', { session: { id: 'a', startedAt: ESCAPE } }, {}],
    ['a session that is no time at all', { session: { id: 'a', startedAt: 5 } }, {}],
    ['the time of an installation', {}, { installedAt: ESCAPE }],
    ['a scope', {}, { scope: '\u001b[2J' }],
  ])('BA-8 through %s', async (_, state, bundle) => {
    const root = makeFolder();
    await activateBundle({ manifest: tinyBundle(), roots: { workspace: root } });
    const file = join(root, '.roleos/state.json');
    const found = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...found, ...state, bundles: [{ ...found.bundles[0], ...bundle }] }));
    await expect(statusOf(root)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
  });
});

describe('BA-3 attack: locks of a stranger', () => {
  const claim = `.roleos/locks/workspace.${'f'.repeat(16)}.1.${'0'.repeat(16)}.${'1'.repeat(16)}`;
  const enter = (root: string) => withLock(nodeFiles, root, async () => 'inside', 200);

  it('BA-3 one of the future, from another machine, does not hold for ever', async () => {
    const root = makeFolder();
    put(root, claim, '');
    put(root, `${claim}.held`, '');
    utimesSync(join(root, claim), 4_000_000_000, 4_000_000_000);
    expect(await enter(root)).toBe('inside');
    expect(existsSync(join(root, claim))).toBe(false);
  });

  it('BA-3 a pipe, a link or a folder in the place of one is neither waited for nor followed', async () => {
    const root = makeFolder();
    put(root, '.roleos/locks/keep', '');
    execFileSync('mkfifo', [join(root, claim)]);
    symlinkSync('/dev/zero', join(root, claim.replace('.1.', '.2.')));
    mkdirSync(join(root, claim.replace('.1.', '.3.')));
    expect(await enter(root)).toBe('inside');
  });
});

describe('BA-6 attack: front matter of a stranger', () => {
  const skill = (front: string) => importSkillFolder(makeFolder({ 'SKILL.md': `---\n${front}\nname: n\n---\n` }));

  it('BA-6 so many keys that comparing them takes long are not read', async () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => `k${index}: 1`).join('\n');
    await expect(skill(keys)).rejects.toMatchObject({ code: 'SKILL_FOLDER_INVALID' });
  });

  it('BA-6 a tag that nobody knows is not printed', async () => {
    const warned = vi.spyOn(process, 'emitWarning');
    expect((await skill('a: !!js/function "x"')).kit).toMatchObject({ id: 'n' });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});
