import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGuardedFetch } from '@parley/guarded-fetch';
import { afterEach, describe, expect, it } from 'vitest';
import {
  activateBundle,
  buildMirrorIndex,
  digestFolder,
  importSkillFolder,
  readBundleFolder,
  readFolder,
  resolveMirror,
  statusOf,
} from '../src/index.ts';
import { tinyBundle } from './harness/bundle.ts';
import { makeFolder, takePicture } from './harness/workspace.ts';

const SKILL = '---\nname: weather\ndescription: Tells the weather\nversion: 1.2.0\n---\n\n# Weather\n';
const CONTENT = {
  'SKILL.md': SKILL,
  '.hidden': 'dot\n',
  'lib/a.js': 'a\n',
  'lib/a-b.js': 'ab\n',
  'Z.txt': 'z\n',
  'é.txt': 'e\n',
};
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(answers: Record<string, string | Uint8Array>): Promise<string> {
  const server = createServer((request, response) => {
    const body = answers[decodeURIComponent(request.url ?? '')];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mirror`;
}

const fetch = createGuardedFetch({
  allowPrivate: false,
  allowLoopback: true,
  maxBytes: 1_000_000,
  timeoutMs: 5_000,
  maxRedirects: 0,
});

const kitWith = (mirror: Record<string, unknown>) => ({
  id: 'weather',
  label: 'Weather',
  capabilities: ['Forecast'],
  mirror,
});
const bundleWith = (mirror: Record<string, unknown>) => tinyBundle({ kits: [kitWith(mirror)] });
const SOURCE = { source: 'roleos-mirror://official', clawHubRef: 'weather@1.2.0' };

async function makeMirror(content: Record<string, string> = CONTENT) {
  const folder = makeFolder(
    Object.fromEntries(Object.entries(content).map(([path, text]) => [`weather/1.2.0/${path}`, text])),
  );
  return { mirrors: { official: { folder } }, digest: await digestFolder(join(folder, 'weather/1.2.0')), folder };
}

describe('BA-6 digests', () => {
  it('BA-6 is SHA-256 over the lines, sorted by bytes, dot files included', async () => {
    const lines = Object.entries(CONTENT).map(([path, text]) => `${path}:${hash(text)}`);
    lines.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await digestFolder(makeFolder(CONTENT))).toBe(`sha256:${hash(lines.join('\n'))}`);
  });

  it('BA-6 attack: a link in the folder is refused', async () => {
    const folder = makeFolder(CONTENT);
    symlinkSync('/etc/passwd', join(folder, 'lib/passwd'));
    await expect(digestFolder(folder)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
  });

  it('BA-6 attack: a folder that is a link is refused', async () => {
    const folder = makeFolder(CONTENT);
    symlinkSync('/etc', join(folder, 'etc'));
    await expect(digestFolder(folder)).rejects.toMatchObject({ code: 'WORKSPACE_UNSAFE' });
  });
});

describe('BA-6 mirrors', () => {
  it('BA-6 content from a folder is verified and installed', async () => {
    const { mirrors, digest } = await makeMirror();
    const root = makeFolder();
    const manifest = bundleWith({ ...SOURCE, digest });
    expect(await activateBundle({ manifest, roots: { workspace: root }, mirrors })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, 'skills/weather/SKILL.md'), 'utf8')).toBe(SKILL);
    const lock = JSON.parse(readFileSync(join(root, '.roleos/bundles/tiny/lock.json'), 'utf8'));
    expect(lock.kits.weather).toMatchObject({ digest, clawHubRef: 'weather@1.2.0' });
  });

  it('BA-6 attack: content that is not what was locked is an error of level 3, and nothing is written', async () => {
    const { mirrors, digest, folder } = await makeMirror();
    writeFileSync(join(folder, 'weather/1.2.0/lib/a.js'), 'evil\n');
    const root = makeFolder();
    const result = await activateBundle({
      manifest: bundleWith({ ...SOURCE, digest }),
      roots: { workspace: root },
      mirrors,
    });
    expect(result).toMatchObject({
      ok: false,
      failure: { code: 'BUNDLE_INVALID', validation: { errors: [{ code: 'DIGEST_MISMATCH', level: 'L3' }] } },
    });
    expect(takePicture(root)).toEqual({});
  });

  it('BV-3 a short digest needs to be allowed, and the lock has all of it', async () => {
    const { mirrors, digest } = await makeMirror();
    const root = makeFolder();
    const input = {
      manifest: bundleWith({ ...SOURCE, digest: digest.slice(0, 19) }),
      roots: { workspace: root },
      mirrors,
    };
    await expect(activateBundle(input)).rejects.toMatchObject({ code: 'DIGEST_TOO_SHORT', params: { kit: 'weather' } });
    expect(takePicture(root)).toEqual({});
    expect(await activateBundle({ ...input, allowShortDigest: true })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, '.roleos/bundles/tiny/lock.json'), 'utf8')).toContain(digest);
  });

  it('BA-6 content from an address is the same content', async () => {
    const { digest, folder } = await makeMirror();
    const files = await readFolder(join(folder, 'weather/1.2.0'));
    const base = '/mirror/weather/1.2.0/';
    const answers = Object.fromEntries(files.map(({ path, bytes }) => [`${base}files/${path}`, bytes]));
    const url = await serve({ ...answers, [`${base}index.json`]: JSON.stringify(buildMirrorIndex(files)) });
    const kit = kitWith({ ...SOURCE, digest }) as never;
    expect(await resolveMirror(kit, { mirrors: { official: { url } }, fetch })).toEqual(files);
  });

  it.each([
    ['climbs out', '../../evil.sh'],
    ['climbs out in the middle', 'a/../../evil.sh'],
    ['is absolute', '/etc/cron.d/evil'],
    ['has backslashes', '..\\evil.bat'],
    ['has a drive', 'C:/evil.bat'],
    ['is encoded', '%2e%2e/evil.sh'],
    ['is a device', 'NUL'],
  ])('BA-6 attack: zip-slip. A path in an index that %s is refused before anything is fetched', async (_, path) => {
    const entry = { path, sha256: hash('x'), size: 1, executable: false };
    const url = await serve({ '/mirror/weather/1.2.0/index.json': JSON.stringify({ version: 1, files: [entry] }) });
    const kit = kitWith({ ...SOURCE, digest: `sha256:${'0'.repeat(64)}` }) as never;
    await expect(resolveMirror(kit, { mirrors: { official: { url } }, fetch })).rejects.toMatchObject({
      code: 'MIRROR_INVALID',
    });
  });

  it('BA-6 attack: two names for one file in an index are refused', async () => {
    const entry = (path: string) => ({ path, sha256: hash('x'), size: 1, executable: false });
    const index = { version: 1, files: [entry('a.js'), entry('A.js')] };
    const url = await serve({ '/mirror/weather/1.2.0/index.json': JSON.stringify(index) });
    const kit = kitWith({ ...SOURCE, digest: `sha256:${'0'.repeat(64)}` }) as never;
    await expect(resolveMirror(kit, { mirrors: { official: { url } }, fetch })).rejects.toMatchObject({
      code: 'MIRROR_INVALID',
    });
  });

  it.each([
    ['an address in the manifest', 'http://169.254.169.254/'],
    ['a file', 'file:///etc'],
    ['a mirror nobody configured', 'roleos-mirror://evil'],
    ['a path that climbs out', 'roleos-mirror://official/../../etc'],
  ])('BA-6 attack: the source is %s', async (_, source) => {
    const { mirrors, digest } = await makeMirror();
    await expect(resolveMirror(kitWith({ source, digest }) as never, { mirrors, fetch })).rejects.toMatchObject({
      code: 'MIRROR_INVALID',
    });
  });

  it('BA-6 a mirror on an inner network is not asked', async () => {
    const kit = kitWith({ ...SOURCE, digest: `sha256:${'0'.repeat(64)}` }) as never;
    const mirrors = { official: { url: 'https://10.0.0.1/mirror' } };
    await expect(resolveMirror(kit, { mirrors, fetch })).rejects.toMatchObject({
      code: 'MIRROR_INVALID',
      params: { reason: 'its address is not allowed' },
    });
  });

  it('BA-6 a mirror that is down can be asked again', async () => {
    const url = (await serve({})).replace(/:\d+/, ':1');
    const kit = kitWith({ ...SOURCE, digest: `sha256:${'0'.repeat(64)}` }) as never;
    await expect(resolveMirror(kit, { mirrors: { official: { url } }, fetch })).rejects.toMatchObject({
      code: 'MIRROR_UNAVAILABLE',
      retry: true,
    });
  });
});

describe('BA-6 drift and updates', () => {
  it('BA-6 changed, missing and added files are reported, and so is a changed block', async () => {
    const { mirrors, digest } = await makeMirror();
    const root = makeFolder();
    await activateBundle({ manifest: bundleWith({ ...SOURCE, digest }), roots: { workspace: root }, mirrors });
    expect((await statusOf(root)).bundles[0]?.drift).toEqual([]);
    writeFileSync(join(root, 'skills/weather/lib/a.js'), 'evil\n');
    writeFileSync(join(root, 'skills/weather/lib/new.js'), 'evil\n');
    writeFileSync(join(root, 'AGENTS.md'), 'nothing\n');
    const { drift } = (await statusOf(root)).bundles[0]!;
    expect(drift).toEqual(
      expect.arrayContaining([
        { bundleId: 'tiny', path: 'skills/weather/lib/a.js', problem: 'changed' },
        { bundleId: 'tiny', path: 'skills/weather/lib/new.js', problem: 'added' },
        { bundleId: 'tiny', path: 'AGENTS.md', problem: 'block_changed' },
      ]),
    );
    expect(drift).toHaveLength(3);
  });

  it('BN-4 a due update is told and not done, also with autoUpdate', async () => {
    const { mirrors, digest, folder } = await makeMirror();
    const root = makeFolder();
    const mirror = { ...SOURCE, digest, lockedAt: '2026-03-25T00:00:00Z', updateCheckInterval: 7, autoUpdate: true };
    await activateBundle({ manifest: bundleWith(mirror), roots: { workspace: root }, mirrors });
    writeFileSync(join(folder, 'weather/1.2.0/SKILL.md'), 'newer\n');
    const before = takePicture(root);
    const at = (text: string) => ({ now: () => new Date(text) });
    expect((await statusOf(root, at('2026-03-31T00:00:00Z'))).dueUpdates).toEqual([]);
    expect((await statusOf(root, at('2026-04-01T00:00:00Z'))).dueUpdates).toEqual([
      { bundleId: 'tiny', kit: 'weather', clawHubRef: 'weather@1.2.0', dueSince: '2026-04-01T00:00:00.000Z' },
    ]);
    expect(takePicture(root)).toEqual(before);
  });
});

describe('BN-3 import of a skill folder', () => {
  it('BN-3 becomes a kit with its digest and what it needs', async () => {
    const metadata = 'metadata: {"openclaw": {"requires": {"bins": ["curl"], "env": ["WEATHER_KEY"]}}}';
    const folder = makeFolder({ ...CONTENT, 'SKILL.md': SKILL.replace('version', `${metadata}\nversion`) });
    const { kit, files } = await importSkillFolder(folder, { source: 'roleos-mirror://official' });
    expect(kit).toEqual({
      id: 'weather',
      label: 'weather',
      description: 'Tells the weather',
      capabilities: ['Tells the weather'],
      permissions: [
        { type: 'process', target: 'curl', mode: 'execute' },
        { type: 'env', target: 'WEATHER_KEY', mode: 'read' },
      ],
      mirror: {
        source: 'roleos-mirror://official',
        digest: await digestFolder(folder),
        clawHubRef: 'weather@1.2.0',
      },
    });
    const root = makeFolder();
    const result = await activateBundle({
      manifest: tinyBundle({ kits: [kit] }),
      roots: { workspace: root },
      kitFiles: new Map([['weather', files]]),
    });
    expect(result).toMatchObject({ ok: true });
  });

  it.each([
    ['no SKILL.md', { 'README.md': 'x' }],
    ['no front matter', { 'SKILL.md': '# Hello\n' }],
    ['a list', { 'SKILL.md': '---\n- a\n---\n' }],
    ['broken YAML', { 'SKILL.md': '---\nname: "x\n---\n' }],
    ['a bomb of aliases', { 'SKILL.md': `---\na: &a [x]\nb: &b [*a, *a]\nname: [*b, *b]\n---\n` }],
    ['a name without letters', { 'SKILL.md': '---\nname: "!!!"\n---\n' }],
  ])('BN-3 %s is refused', async (_, files) => {
    await expect(importSkillFolder(makeFolder(files))).rejects.toMatchObject({ code: 'SKILL_FOLDER_INVALID' });
  });
});

describe('BN-1 a bundle folder', () => {
  it('BN-1 is a manifest and what comes with its kits', async () => {
    const folder = makeFolder({ 'manifest.json': JSON.stringify(tinyBundle()), 'kits/clock/clock.js': 'tick\n' });
    const read = await readBundleFolder(folder);
    expect(read).toMatchObject({ ok: true, manifest: tinyBundle() });
    const root = makeFolder();
    if (read.ok) await activateBundle({ ...read, roots: { workspace: root } });
    expect(readFileSync(join(root, 'skills/clock/clock.js'), 'utf8')).toBe('tick\n');
  });

  it('BN-1 whose manifest is not JSON is answered with a validation', async () => {
    const folder = makeFolder({ 'manifest.json': '{' });
    mkdirSync(join(folder, 'kits'));
    expect(await readBundleFolder(folder)).toMatchObject({ ok: false, validation: { valid: false, passedLevels: 0 } });
  });
});
