import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KIT_FILES, makeBundle } from './harness/bundles.ts';
import { type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let root: string;
let operator: Person;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parley-bundles-'));
  server = await startTestServer({ workspaces: { main: join(root, 'main') } });
  operator = await signUp(server);
  await server.makeOperator(operator.userId);
  [author, stranger] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => {
  await server.drop();
  rmSync(root, { recursive: true });
});

let count = 0;
const freshId = () => `bundle-${++count}`;
const as = (person?: Person) => (person === undefined ? {} : { token: person.token });
const post = (path: string, body: object, person?: Person) => server.call('POST', path, { ...as(person), body });

describe('the routes of the protocol', () => {
  it('BV-1 POST /api/validate answers with all six levels, for anyone', async () => {
    const good = await post('/api/validate', { manifest: makeBundle('fine') });
    expect(good).toMatchObject({ status: 200, body: { valid: true, passedLevels: 6, totalLevels: 6, errors: [] } });
    const bad = await post('/api/validate', { manifest: makeBundle('Not Kebab', { roles: [] }) });
    expect(bad.body.valid).toBe(false);
    expect(bad.body.results.map(({ level }: { level: string }) => level)).toEqual(['L1', 'L2', 'L3', 'L4', 'L5', 'L6']);
    expect(bad.body.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(['/id', '/roles']),
    );
    const chinese = await server.call('POST', '/api/validate', {
      body: { manifest: {} },
      headers: { 'accept-language': 'zh-CN' },
    });
    expect(chinese.body.errors[0].message).toMatch(/\p{Script=Han}/u);
  });

  it('BA-1 POST /api/shadow-preview shows the plan and changes nothing', async () => {
    const reply = await post('/api/shadow-preview', { manifest: makeBundle('fine') });
    expect(reply.status).toBe(200);
    expect(reply.body.preview).toMatchObject({ risk: 'low', entryRole: 'analyst' });
    expect(reply.body.preview.files.length).toBeGreaterThan(0);
    expect(reply.body.markdown).toContain('Some bundle');
    const again = await post('/api/shadow-preview', { manifest: makeBundle('fine') });
    expect(again.body.preview.planDigest).toBe(reply.body.preview.planDigest);
    expect(await post('/api/shadow-preview', { manifest: {} })).toMatchObject({
      status: 422,
      body: { error: { code: 'BUNDLE_INVALID' }, validation: { valid: false, totalLevels: 6 } },
    });
  });

  it('BA-1 the seed’s own example, with a short digest and content nobody has, still gets its preview', async () => {
    const mirror = {
      source: 'roleos-mirror://official',
      digest: 'sha256:f1e2d3c4b5a6',
      clawHubRef: 'web-search@2.3.0',
    };
    const manifest = makeBundle('seed', { kits: [{ ...makeBundle('seed').kits[0], mirror }] });
    const reply = await post('/api/shadow-preview', { manifest });
    expect(reply).toMatchObject({
      status: 200,
      body: { missing: [{ code: 'KIT_CONTENT_MISSING', kit: 'search', reason: 'DIGEST_TOO_SHORT' }] },
    });
    expect(reply.body.preview.files).toContainEqual({ path: 'AGENTS.md', action: 'create' });
    expect(reply.body.markdown).toContain('## Missing');
    const refused = await post('/api/activate', { manifest, workspace: 'main' }, operator);
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'DIGEST_TOO_SHORT' } } });
  });
});

describe('activation', () => {
  it('BA-2 an operator activates what was previewed, all of it, and nobody else may', async () => {
    const folder = join(root, 'main');
    mkdirSync(folder, { recursive: true });
    const manifest = makeBundle('team');
    for (const person of [undefined, author, stranger]) {
      const refused = await post('/api/activate', { manifest, workspace: 'main' }, person);
      expect(refused.status).toBe(person === undefined ? 401 : 403);
    }
    expect((await post('/api/activate', { manifest, workspace: 'other' }, operator)).status).toBe(404);
    expect(readdirSync(folder)).toEqual([]);
    const shown = await post('/api/shadow-preview', { manifest, workspace: 'main' }, operator);
    const { planDigest } = shown.body.preview;
    const wrong = await post('/api/activate', { manifest, workspace: 'main', planDigest: '0'.repeat(64) }, operator);
    expect(wrong).toMatchObject({ status: 409, body: { error: { code: 'PLAN_CHANGED' } } });
    const done = await post('/api/activate', { manifest, workspace: 'main', planDigest }, operator);
    expect(done).toMatchObject({ status: 200, body: { bundleId: 'team', workspace: 'main', entryRole: 'analyst' } });
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toContain('Analyst');
    const { body } = await server.call('GET', '/api/workspaces', as(operator));
    expect(body.workspaces).toMatchObject([{ name: 'main', bundles: ['team@1.0.0'] }]);
    expect((await server.call('GET', '/api/workspaces', as(stranger))).body.workspaces).toEqual([]);
  });

  it('BA-5 an operator undoes an activation: what was previewed, all of it, and nobody else may', async () => {
    const folder = join(root, 'main');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'AGENTS.md'), '# Mine\n');
    const activate = (version: string) =>
      post('/api/activate', { manifest: makeBundle('team', { version }), workspace: 'main' }, operator);
    await activate('1.0.0');
    await activate('1.1.0');
    const path = '/api/workspaces/main/bundles/team/undo';
    const preview = (to: string, person: Person | undefined = operator) =>
      server.call('GET', `${path}?to=${to}`, as(person));
    for (const person of [author, stranger]) {
      expect((await preview('previous', person)).status).toBe(403);
      expect((await post(path, {}, person)).status).toBe(403);
    }
    expect((await server.call('GET', path)).status).toBe(401);
    expect((await server.call('GET', path.replace('team', 'other'), as(operator))).status).toBe(404);
    expect((await server.call('GET', path.replace('main', 'other'), as(operator))).status).toBe(404);
    const { body: listed } = await server.call('GET', '/api/workspaces', as(operator));
    expect(listed.workspaces[0].installed).toMatchObject([
      { id: 'team', version: '1.1.0', previous: { version: '1.0.0', installedAt: expect.any(String) } },
    ]);

    const back = (await preview('previous')).body;
    expect(back).toMatchObject({ from: '1.1.0', to: '1.0.0', kept: [], manual: [] });
    const away = (await preview('nothing')).body;
    expect(away).toMatchObject({ from: '1.1.0', to: null });
    expect(away.files).toContainEqual({ path: 'AGENTS.md', action: 'modify' });
    const wrong = await post(path, { planDigest: away.planDigest }, operator);
    expect(wrong).toMatchObject({ status: 409, body: { error: { code: 'PLAN_CHANGED' } } });
    const undone = await post(path, { planDigest: back.planDigest }, operator);
    expect(undone).toMatchObject({ status: 200, body: { version: '1.0.0', filesRemoved: [], kept: [] } });

    writeFileSync(join(folder, 'AGENTS.md'), `First\n${readFileSync(join(folder, 'AGENTS.md'), 'utf8')}`);
    const stale = await post(path, { to: 'nothing', planDigest: away.planDigest }, operator);
    expect(stale.status).toBe(409);
    const { planDigest } = (await preview('nothing')).body;
    const removed = await post(path, { to: 'nothing', planDigest }, operator);
    expect(removed.body).toMatchObject({ version: null, kept: [{ path: 'AGENTS.md', reason: 'edited_around' }] });
    expect(removed.body.kept[0].message).toContain('AGENTS.md');
    expect(readdirSync(folder)).toEqual(['AGENTS.md']);
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe('First\n# Mine\n');
  });

  it('BA-5 a bundle that wants a person to remove its files is removed only when they say so', async () => {
    const folder = join(root, 'main');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    const rollbackProfile = { snapshotEnabled: true, strategy: 'manual' };
    await post('/api/activate', { manifest: makeBundle('by-hand', { rollbackProfile }), workspace: 'main' }, operator);
    const path = '/api/workspaces/main/bundles/by-hand/undo';
    const { body } = await server.call('GET', path, as(operator));
    expect(body.manual).toContainEqual({ path: 'AGENTS.md', remove: 'file' });
    const { planDigest } = body;
    const refused = await post(path, { planDigest }, operator);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'REMOVAL_IS_MANUAL' }, manual: body.manual } });
    expect(await post(path, { planDigest, evenIfManual: true }, operator)).toMatchObject({ status: 200 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('BA-3 symlink race: a workspace file that leads outside is a conflict, and nothing is written', async () => {
    const folder = join(root, 'main');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(root, 'victim.md'), 'mine');
    symlinkSync(join(root, 'victim.md'), join(folder, 'AGENTS.md'));
    const reply = await post('/api/activate', { manifest: makeBundle('team'), workspace: 'main' }, operator);
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'WORKSPACE_CONFLICT' } } });
    expect(reply.body.conflicts[0].message).toContain('AGENTS.md');
    expect(readFileSync(join(root, 'victim.md'), 'utf8')).toBe('mine');
  });
});

describe('the registry', () => {
  const publish = (manifest: object, person = author, kits: object = { search: KIT_FILES }) =>
    post('/bundles', { manifest, kits }, person);

  it('BA-6 a published version is downloaded as it was put, with digests', async () => {
    const id = freshId();
    const done = await publish(makeBundle(id));
    expect(done).toMatchObject({ status: 201, body: { id, version: '1.0.0' } });
    const { body, headers } = await server.call('GET', `/bundles/${id}/versions/1.0.0`);
    expect(body.manifest).toEqual(makeBundle(id));
    expect(headers.get('etag')).toBe(`"${done.body.digest}"`);
    const [entry] = body.kits.search.files;
    const file = await fetch(`${server.url}/bundles/${id}/versions/1.0.0/kits/search/files/${entry.path}`);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(entry.sha256);
    expect(file.headers.get('content-disposition')).toBe('attachment');
    expect(file.headers.get('content-type')).toBe('application/octet-stream');
  });

  it('BN-1 versions are immutable, the id is its first publisher’s', async () => {
    const id = freshId();
    const first = await publish(makeBundle(id));
    expect((await publish(makeBundle(id))).body.digest).toBe(first.body.digest);
    expect((await publish(makeBundle(id, { name: 'Other' }))).body.error.code).toBe('VERSION_EXISTS');
    expect((await publish(makeBundle(id, { version: '2.0.0' }), stranger)).status).toBe(403);
    expect((await publish(makeBundle(id, { version: '1.1.0' }))).status).toBe(201);
  });

  it('BN-1 race for one id: two people publish at once, one of them owns it', async () => {
    const id = freshId();
    const replies = await Promise.all([publish(makeBundle(id), author), publish(makeBundle(id), stranger)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 403]);
  });

  it('BV-3 digest mismatch: files that are not what the kit is locked to are refused', async () => {
    const kits = [
      {
        ...makeBundle('x').kits[0],
        mirror: { source: 'roleos-mirror://official', digest: `sha256:${'0'.repeat(64)}` },
      },
    ];
    const reply = await publish(makeBundle(freshId(), { kits }));
    expect(reply.status).toBe(422);
  });

  it('BV-4 zip-slip: a file that climbs out of its kit is refused', async () => {
    for (const path of ['../evil', '/etc/passwd', 'a/../../b', 'C:evil', 'a\\b', '%2e%2e/x', 'nul']) {
      const reply = await publish(makeBundle(freshId()), author, { search: [{ path, data: '' }] });
      expect([path, reply.status]).toEqual([path, 422]);
    }
    const twice = [
      { path: 'A.md', data: '' },
      { path: 'a.md', data: '' },
    ];
    expect((await publish(makeBundle(freshId()), author, { search: twice })).status).toBe(422);
  });

  it('BN-1 search finds by words, tag and category; a yanked version stays readable', async () => {
    const id = freshId();
    await publish(makeBundle(id, { name: `研究团队 ${id}`, tags: ['finance'], category: 'research' }));
    const find = async (query: string) =>
      (await server.call('GET', `/bundles?${query}`)).body.bundles.map((bundle: { id: string }) => bundle.id);
    expect(await find(`q=${encodeURIComponent('研究')}`)).toContain(id);
    expect(await find('tag=finance&category=research')).toContain(id);
    const yank = (person: Person) =>
      server.call('PUT', `/bundles/${id}/versions/1.0.0/yanked`, { ...as(person), body: { yanked: true } });
    expect((await yank(stranger)).status).toBe(403);
    expect((await yank(author)).body.yanked).toBe(true);
    expect(await find(`q=${encodeURIComponent('研究')}`)).not.toContain(id);
    expect((await server.call('GET', `/bundles/${id}/versions/1.0.0`)).body.yanked).toBe(true);
  });
});

describe('the publisher', () => {
  it('AC-7 attack: a bundle that names another author shows the account that published it, and no id', async () => {
    const id = freshId();
    await post('/bundles', { manifest: makeBundle(id, { author: 'Parley' }) }, stranger);
    const other = freshId();
    await post('/bundles', { manifest: makeBundle(other, { author: 'Parley' }) }, author);
    const read = async (bundle: string, person?: Person) =>
      (await server.call('GET', `/bundles/${bundle}`, as(person))).body.owner;
    const found = async (bundle: string) =>
      (await server.call('GET', '/bundles?limit=100')).body.bundles.find((one: { id: string }) => one.id === bundle);
    const owner = await read(id);
    expect(owner).toEqual({ display_name: expect.any(String), account_mark: expect.stringMatching(/^.{4}-.{4}$/) });
    expect(await found(id)).toMatchObject({ author: 'Parley', owner });
    expect(JSON.stringify(await found(id))).not.toContain(stranger.userId);
    expect(await read(id, stranger)).toEqual({ ...owner, user_id: stranger.userId });
    expect((await read(other)).account_mark).not.toBe(owner.account_mark);
  });
});

describe('the mirror', () => {
  it('BA-6 only operators put kits in; what is there never changes; bundles find it by name', async () => {
    const put = (data: string, person: Person) =>
      server.call('PUT', '/mirror/web-search/1.0.0', {
        ...as(person),
        body: { files: [{ path: 'SKILL.md', data: Buffer.from(data).toString('base64') }] },
      });
    expect((await put('# Search', stranger)).status).toBe(403);
    const { body } = await put('# Search', operator);
    expect((await put('# Search', operator)).body).toEqual(body);
    expect((await put('# Evil', operator)).status).toBe(409);
    const kits = [
      {
        id: 'web-search',
        label: 'Search',
        capabilities: ['search'],
        riskLevel: 'low',
        mirror: { source: 'roleos-mirror://official', digest: body.digest, clawHubRef: 'web-search@1.0.0' },
      },
    ];
    const roles = [{ id: 'analyst', label: 'Analyst', purpose: 'Finds', kits: ['web-search'] }];
    const manifest = makeBundle('mirrored', { kits, roles });
    const shown = await post('/api/shadow-preview', { manifest });
    const paths = shown.body.preview.files.map(({ path }: { path: string }) => path);
    expect(paths.some((path: string) => path.endsWith('web-search/SKILL.md'))).toBe(true);
    const index = await server.call('GET', '/mirror/web-search/1.0.0/index.json');
    expect(index.body.files[0]).toMatchObject({ path: 'SKILL.md', size: 8 });
    expect((await server.call('GET', '/mirror/web-search/1.0.0/files/..%2f..%2fetc')).status).toBe(404);
  });
});
