import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@parley/testkit/until';
import { describe, expect, test } from 'vitest';
import { bundleFiles, makeBundle, makePlace, type Place, takePicture } from './bundle-fixture.ts';
import { ROLEOS, ROOT, useBuiltCommand } from './run.ts';

useBuiltCommand();

async function install(place: Place, folder: string, options: readonly string[] = []) {
  const { json } = await place.json(['preview', folder, ...options]);
  return place.json(['install', folder, '--yes', '--plan-digest', json.preview.planDigest, ...options]);
}

describe('BA-8 init', () => {
  test('BA-8 finds programs with versions, writes the config, and keeps it when run again', async () => {
    const place = makePlace();
    const workspace = join(place.root, 'new');
    const first = await place.json(['init', '--workspace', workspace, '--mirror', 'official=./m', '--target', 'plain']);
    expect(first.code).toBe(0);
    expect(first.json.programs.node).toEqual({ command: 'node', version: expect.stringMatching(/^\d+\./) });
    expect(first.json.runtimes).toContain('node');
    expect(existsSync(workspace)).toBe(true);
    const again = await place.roleos(['init', '--yes', '--locale', 'zh-CN']);
    expect(again.stdout).toMatch(/node +\d+\./);
    const config = JSON.parse(readFileSync(join(place.home, '.roleos/config.json'), 'utf8'));
    expect(config).toMatchObject({ workspace, target: 'plain', mirrors: { official: join(ROOT, 'm') } });
  });

  test('HS-15 says at once what it does, since programs take their time to tell their version', async () => {
    const place = makePlace();
    const { stderr } = await place.roleos(['init', '--yes']);
    expect(stderr).toBe('Looking for programs on this machine…\n');
    expect((await place.roleos(['init', '--json'])).stderr).toBe('');
  });

  test('BA-8 a damaged config is told, with the file to delete', async () => {
    const place = makePlace();
    await place.roleos(['init', '--yes']);
    writeFileSync(join(place.home, '.roleos/config.json'), '{"workspace": 1}');
    const { code, stderr } = await place.roleos(['status']);
    expect(code).toBe(3);
    expect(stderr).toContain('config.json');
  });
});

describe('BV-1 validate', () => {
  test('BV-1 --json is the reply of 9.2, and nothing else', async () => {
    const place = makePlace();
    const good = await place.json(['validate', place.fill(bundleFiles())]);
    expect(good.code).toBe(0);
    expect(Object.keys(good.json)).toEqual(['valid', 'passedLevels', 'totalLevels', 'results', 'errors', 'warnings']);
    expect(good.json).toMatchObject({ valid: true, passedLevels: 6, totalLevels: 6, errors: [] });
    const bad = await place.json(['validate', place.fill(bundleFiles({ id: 'Not Kebab', roles: [] }))]);
    expect(bad.code).toBe(1);
    expect(Object.keys(bad.json.errors[0]).sort()).toEqual(['code', 'level', 'message', 'path']);
  });

  test('BV-1 findings have lines and columns, by level, in both languages', async () => {
    const place = makePlace();
    const file = join(place.fill(bundleFiles({ version: 'one' })), 'manifest.json');
    const english = await place.roleos(['validate', file]);
    expect(english.code).toBe(1);
    expect(english.stdout).toMatch(/✗ L1 structure\n {2}.*manifest\.json:4:\d+: error: /);
    const chinese = await place.parley(['bundle', 'validate', file, '--locale', 'zh-CN']);
    expect(chinese.stdout).toContain('无效');
    const cut = await place.roleos(['validate', '-'], { input: '{"id": ' });
    expect(cut).toMatchObject({ code: 1 });
    expect((await place.roleos(['validate', join(place.root, 'nowhere.json')])).code).toBe(3);
  });

  test('BV-3 digest mismatch: a folder is checked with the files of its kits', async () => {
    const place = makePlace();
    const [kit] = makeBundle().kits as [object];
    const mirror = { source: 'roleos-mirror://official', digest: `sha256:${'0'.repeat(64)}` };
    const { code, json } = await place.json(['validate', place.fill(bundleFiles({ kits: [{ ...kit, mirror }] }))]);
    expect(code).toBe(1);
    expect(json.errors[0].level).toBe('L3');
  });
});

describe('BA-1 preview', () => {
  test('BA-1 shows roles, kits, permissions, routes, files and the digest, and changes nothing', async () => {
    const place = makePlace();
    const before = takePicture(place.workspace);
    const { code, stdout } = await place.roleos(['preview', join(ROOT, 'examples/bundles/review-board')]);
    expect(code).toBe(0);
    for (const part of ['risk critical', 'chair → merger  (conditional', 'priority 1', '~ AGENTS.md', 'Plan sha256:'])
      expect(stdout).toContain(part);
    expect(takePicture(place.workspace)).toEqual(before);
  });

  test('BA-1 the seed’s own example, with a short digest and content nobody has, is shown and not activated', async () => {
    const place = makePlace();
    const [kit] = makeBundle().kits as [object];
    const mirror = { source: 'roleos-mirror://official', digest: 'sha256:f1e2d3c4b5a6', clawHubRef: 'notes@2.3.0' };
    const manifest = JSON.stringify(makeBundle({ kits: [{ ...kit, mirror }] }));
    const file = join(place.fill({ 'manifest.json': manifest }), 'manifest.json');
    const { code, json } = await place.json(['preview', file]);
    expect(code).toBe(0);
    expect(json.missing).toMatchObject([{ code: 'KIT_CONTENT_MISSING', kit: 'notes', reason: 'DIGEST_TOO_SHORT' }]);
    const shown = await place.roleos(['preview', file]);
    expect(shown.stdout).toContain('cannot be activated');
    const { planDigest } = json.preview;
    const refused = await place.json(['activate', file, '--plan-digest', planDigest]);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'DIGEST_TOO_SHORT' } } });
  });

  test('BA-2 an invalid bundle is refused with its validation', async () => {
    const place = makePlace();
    const folder = place.fill(bundleFiles({ roles: [] }));
    for (const args of [
      ['preview', folder],
      ['install', folder],
      ['activate', folder, '--plan-digest', 'sha256:0'],
    ]) {
      const { code, json } = await place.json(args);
      expect(code).toBe(1);
      expect(json).toMatchObject({ error: { code: 'BUNDLE_INVALID' }, validation: { valid: false, totalLevels: 6 } });
    }
  });
});

describe('BA-8 install and what follows', () => {
  test('BA-8 nobody is asked without a terminal: the plan has to be named', async () => {
    const place = makePlace();
    const before = takePicture(place.workspace);
    const folder = place.fill(bundleFiles());
    const { code, json } = await place.json(['install', folder]);
    expect(code).toBe(1);
    expect(json.error.code).toBe('CONFIRMATION_NEEDED');
    expect(json.error.message).toContain(`--plan-digest ${json.preview.planDigest}`);
    const wrong = await place.json(['install', folder, '--yes', '--plan-digest', `sha256:${'0'.repeat(64)}`]);
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'PLAN_CHANGED' } } });
    expect(takePicture(place.workspace)).toEqual(before);
  });

  test('BA-5 install, status, uninstall: byte for byte what was there', async () => {
    const place = makePlace();
    const before = takePicture(place.workspace);
    const folder = place.fill(bundleFiles());
    const done = await install(place, folder);
    expect(done).toMatchObject({ code: 0, json: { bundleId: 'note-team', entryRole: 'scribe' } });
    expect(readFileSync(join(place.workspace, 'skills/notes/lib/a.js'), 'utf8')).toBe('export {};\n');
    const status = await place.json(['status']);
    expect(status.code).toBe(0);
    expect(status.json.bundles).toMatchObject([{ id: 'note-team', drift: [], routes: { entryRole: 'scribe' } }]);
    const again = await place.json(['install', folder]);
    expect(again).toMatchObject({ code: 0, json: { unchanged: true } });
    const gone = await place.json(['uninstall', 'note-team']);
    expect(gone).toMatchObject({ code: 0, json: { done: true, kept: [] } });
    expect(takePicture(place.workspace)).toEqual(before);
    expect((await place.json(['uninstall', 'note-team'])).json.error.code).toBe('BUNDLE_NOT_INSTALLED');
  });

  test('BA-5 rollback goes back to the version before', async () => {
    const place = makePlace();
    await install(place, place.fill(bundleFiles()));
    const next = place.fill(bundleFiles({ version: '1.1.0', summary: 'Keeps more notes.' }));
    const shown = await place.json(['preview', next]);
    expect(shown.json).toMatchObject({ replaces: '1.0.0', upgrade: { consent: expect.any(String) } });
    await install(place, next);
    const back = await place.parley(['bundle', 'rollback', 'note-team', '--json']);
    expect(JSON.parse(back.stdout)).toMatchObject({ done: true, version: '1.0.0' });
  });

  test('BA-6 drift is told by start and status, with exit code 1', async () => {
    const place = makePlace();
    await install(place, place.fill(bundleFiles()));
    appendFileSync(join(place.workspace, 'skills/notes/SKILL.md'), 'evil\n');
    for (const command of ['start', 'status']) {
      const { code, stdout } = await place.roleos([command]);
      expect(code).toBe(1);
      expect(stdout).toContain('skills/notes/SKILL.md');
    }
    const run = await place.parley(['bundle', 'run-as-agent', 'note-team', '--json']);
    expect(JSON.parse(run.stdout).error.code).toBe('BUNDLE_DRIFTED');
  });

  test('BA-8 start and stop: bundles of a session end with it, and start twice is one session', async () => {
    const place = makePlace();
    const before = takePicture(place.workspace);
    const started = await place.json(['start']);
    expect(started).toMatchObject({ code: 0, json: { alreadyStarted: false, session: { id: expect.any(String) } } });
    await install(place, place.fill(bundleFiles({ activationScope: 'session' })));
    const again = await place.json(['start']);
    expect(again.json).toMatchObject({ alreadyStarted: true, session: started.json.session });
    expect((await place.json(['status'])).json.control.state).toBe('started');
    const stopped = await place.json(['stop']);
    expect(stopped).toMatchObject({
      code: 0,
      json: { stopped: true, removed: [{ bundleId: 'note-team', done: true }] },
    });
    expect(takePicture(place.workspace)).toEqual(before);
    expect((await place.json(['stop'])).json.stopped).toBe(false);
  });

  test('BA-3 a person’s file in the way is a conflict, told before anything happens', async () => {
    const place = makePlace();
    const { json } = await place.json(['preview', place.fill(bundleFiles())]);
    mkdirSync(join(place.workspace, 'skills/notes'), { recursive: true });
    writeFileSync(join(place.workspace, 'skills/notes/SKILL.md'), 'mine');
    const folder = place.fill(bundleFiles());
    const blocked = await place.json(['install', folder]);
    expect(blocked).toMatchObject({ code: 1, json: { error: { code: 'INSTALL_BLOCKED' } } });
    expect(blocked.json.conflicts[0].message).toContain('skills/notes/SKILL.md');
    const forced = await place.json(['activate', folder, '--plan-digest', json.preview.planDigest]);
    expect(forced).toMatchObject({ code: 1, json: { error: { code: 'WORKSPACE_CONFLICT' } } });
    expect(readFileSync(join(place.workspace, 'skills/notes/SKILL.md'), 'utf8')).toBe('mine');
  });

  test('BA-8 where the bundle asks for removal by hand, the steps are told', async () => {
    const place = makePlace();
    const rollbackProfile = { snapshotEnabled: false, strategy: 'manual' };
    await install(place, place.fill(bundleFiles({ rollbackProfile })));
    const { code, stdout } = await place.roleos(['uninstall', 'note-team']);
    expect(code).toBe(1);
    expect(stdout).toContain('delete the marked block in AGENTS.md');
    expect((await place.roleos(['uninstall', 'note-team', '--even-if-manual'])).code).toBe(0);
  });
});

describe('BA-8 interrupted', () => {
  test('BA-8 Ctrl-C at any moment of an installation leaves the old or the new, and says which', async () => {
    const place = makePlace();
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`kits/notes/f${index}.txt`, 'x\n']));
    const folder = place.fill({ ...bundleFiles(), ...many });
    const before = takePicture(place.workspace);
    const { json } = await place.json(['preview', folder]);
    const env = { PATH: process.env.PATH ?? '', HOME: place.home, ROLEOS_WORKSPACE: place.workspace };
    const args = [ROLEOS, 'activate', folder, '--plan-digest', json.preview.planDigest];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const closed = new Promise<number | null>((resolve) => {
      child.on('close', (code) => resolve(code));
    });
    // The folder of its transaction shows that it has begun.
    await until(() => expect(existsSync(join(place.workspace, '.roleos/tx')) || child.exitCode !== null).toBe(true));
    child.kill('SIGINT');
    const code = await closed;
    if (code === 0) expect(output).toMatch(/is active|came too late/);
    else {
      expect({ code, output }).toMatchObject({ code: 130, output: expect.stringContaining('as it was before') });
      expect(takePicture(place.workspace)).toEqual(before);
    }
    const status = await place.json(['status']);
    expect(status.json.bundles).toHaveLength(code === 0 ? 1 : 0);
  });
});

describe('BA-6 import', () => {
  const SKILL = {
    'SKILL.md': '---\nname: Web Search\ndescription: Finds pages\nversion: 1.2.0\n---\nSearch.\n',
    'run.js': '1;\n',
  };

  test('BA-6 a skill folder becomes a kit with its digest, by itself or in a bundle that validates', async () => {
    const place = makePlace();
    const skill = place.fill(SKILL);
    const { json } = await place.json(['import', skill]);
    expect(json.kit).toMatchObject({
      id: 'web-search',
      mirror: { digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
    });
    const fresh = join(place.root, 'fresh-team');
    expect((await place.json(['import', skill, '--into', fresh])).code).toBe(0);
    expect((await place.json(['validate', fresh])).json).toMatchObject({ valid: true });
    const folder = place.fill(bundleFiles());
    expect((await place.json(['import', skill, '--into', folder])).code).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    expect(manifest.roles[0].kits).toEqual(['notes', 'web-search']);
    expect((await place.json(['validate', folder])).json.valid).toBe(true);
    expect((await place.json(['import', skill, '--into', folder])).json.error.code).toBe('KIT_EXISTS');
    expect((await place.json(['import', skill, '--into', folder, '--force'])).code).toBe(0);
  });

  test('BA-6 a folder that is not a skill is refused with the reason', async () => {
    const place = makePlace();
    const { code, json } = await place.json(['import', place.fill({ 'README.md': 'no' })]);
    expect(code).toBe(1);
    expect(json.error).toMatchObject({ code: 'SKILL_FOLDER_INVALID', message: expect.stringContaining('SKILL.md') });
  });
});

test('BA-8 tokens that others can read are not used: chmod is told instead', async () => {
  const place = makePlace();
  mkdirSync(join(place.home, '.parley'));
  writeFileSync(join(place.home, '.parley/credentials.json'), '{"version":1,"current":null,"servers":{}}', {
    mode: 0o644,
  });
  const { code, json } = await place.json(['publish', place.fill(bundleFiles()), '--registry', 'http://127.0.0.1:9']);
  expect(code).toBe(3);
  expect(json.error).toMatchObject({ code: 'CREDENTIALS_EXPOSED', message: expect.stringContaining('chmod 600') });
});

test('BA-8 a file with a control character in a name reaches no terminal', async () => {
  const place = makePlace();
  const { stdout } = await place.roleos(['preview', place.fill(bundleFiles({ name: 'Evil\u001b[2J\u202eName' }))]);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toContain('\u202e');
});
