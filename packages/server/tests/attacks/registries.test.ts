import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { KIT_FILES, makeBundle } from '../harness/bundles.ts';
import { type Person, signUp } from '../harness/people.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { freshNamespace, makeDescriptor } from '../harness/skills.ts';

let server: TestServer;
let operator: Person;
let author: Person;
let reader: Person;
beforeAll(async () => {
  server = await startTestServer();
  operator = await signUp(server);
  await server.makeOperator(operator.userId);
  [author, reader] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(() => server.drop());

const publish = (manifest: object, more: object = {}, { token } = author) =>
  server.call('POST', '/bundles', { token, body: { manifest, ...more } });
const ban = ({ userId }: Person) =>
  server.platform.db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', userId).execute();

describe('BA-6 attacks on the registry of bundles', () => {
  it('BA-6 files of a banned publisher are as gone as the bundle itself', async () => {
    const owner = await signUp(server);
    expect((await publish(makeBundle('banned'), { kits: { search: KIT_FILES } }, owner)).status).toBe(201);
    const path = '/bundles/banned/versions/1.0.0/kits/search/files/SKILL.md';
    expect((await server.call('GET', path)).status).toBe(200);
    await ban(owner);
    expect((await server.call('GET', '/bundles/banned')).status).toBe(404);
    expect((await server.call('GET', path)).status).toBe(404);
  });

  it('TR-8 search amplification: a page of enormous texts stays small', async () => {
    const text = () => randomBytes(60_000).toString('hex');
    const manifest = makeBundle('enormous', {
      name: `enormous ${text()}`,
      summary: text(),
      author: text(),
      category: text(),
      tags: ['fine', text(), ...Array.from({ length: 2_000 }, (_, index) => `t${index}`)],
    });
    expect(await publish(manifest)).toMatchObject({ status: 201 });
    const reply = await server.call('GET', '/bundles?q=enormous');
    expect(reply.body.bundles[0]).toMatchObject({ id: 'enormous', tags: expect.arrayContaining(['fine']) });
    expect(JSON.stringify(reply.body).length).toBeLessThan(20_000);
    expect((await server.call('GET', '/bundles/enormous')).body.manifest).toEqual(manifest);
  });

  it('TR-7 a version that no address can name is refused, not an error of ours', async () => {
    const version = `1.0.0-${randomBytes(5_000).toString('hex')}`;
    expect(await publish(makeBundle('long-version', { version }))).toMatchObject({ status: 400 });
    const nul = await publish(makeBundle('nul', { summary: 'a\u0000b' }));
    expect(nul.status).toBe(400);
  });

  it.each([{ 'No Kebab': 5 }, { __proto__x: [{ path: {}, data: 1 }] }, { search: [{ path: 'a', data: '', x: 1 }] }])(
    'TR-7 kits that are no lists of files: %j',
    async (kits) => {
      expect(await publish(makeBundle('odd-kits'), { kits })).toMatchObject({ status: 400 });
    },
  );

  it('TR-8 squatting: nobody can take all the names', async () => {
    const squatter = await signUp(server);
    await sql`insert into bundles (id, owner_id, name, summary, risk, digest, search, updated_at)
      select 'squat-' || n, ${squatter.userId}, '', '', 'low', '', '', now() from generate_series(1, 200) n`.execute(
      server.platform.db,
    );
    const reply = await publish(makeBundle('one-more'), {}, squatter);
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'LIMIT_REACHED' } } });
    expect((await publish(makeBundle('squat-7'), {}, squatter)).status).toBe(201);
    expect((await publish(makeBundle('one-more'))).status).toBe(201);
  });

  it('BA-1 preview amplification: a thousand kits of one mirrored content are not read a thousand times', async () => {
    const data = randomBytes(400_000).toString('base64');
    const { body } = await server.call('PUT', '/mirror/large/1.0.0', {
      token: operator.token,
      body: { files: [{ path: 'data.bin', data }] },
    });
    const mirror = { source: 'roleos-mirror://official', digest: body.digest, clawHubRef: 'large@1.0.0' };
    const kits = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `kit-${index}`,
        label: 'Kit',
        capabilities: ['x'],
        riskLevel: 'low',
        mirror,
      }));
    const preview = (count: number) => {
      const roles = [{ id: 'analyst', label: 'Analyst', purpose: 'Finds things' }];
      const manifest = makeBundle('amplified', { roles, kits: kits(count) });
      return server.call('POST', '/api/shadow-preview', { body: { manifest } });
    };
    expect(await preview(2)).toMatchObject({ status: 200, body: { missing: [] } });
    expect(await preview(1_000)).toMatchObject({ status: 422, body: { error: { code: 'MIRROR_INVALID' } } });
  });
});

describe('SD-8 attacks on the registry of skills', () => {
  it.each(['/skills', '/bundles'])('TR-7 cursor tampering: %s answers 400, never 500', async (path) => {
    const cursors = [
      [0, '+200000-01-01T00:00:00.000Z', 'a'],
      [0, '-000001-01-01T00:00:00.000Z', 'a'],
      [0, '0000-01-01T00:00:00.000Z', 'a'],
      [0, '2020-01-01T00:00:00.000Z', 'a\u0000'],
      [{}, '2020-01-01T00:00:00.000Z', 'a'],
      [0, '2020-01-01T00:00:00.000Z'],
      {},
      null,
    ];
    for (const cursor of cursors) {
      const text = Buffer.from(JSON.stringify(cursor)).toString('base64url');
      expect((await server.call('GET', `${path}?cursor=${text}`)).status, JSON.stringify(cursor)).toBe(400);
    }
    const infinite = Buffer.from('[1e999,"2020-01-01","a"]').toString('base64url');
    expect((await server.call('GET', `${path}?cursor=${infinite}`)).status).toBe(200);
  });

  it('TR-8 one account does not fill the registry', async () => {
    const owner = await signUp(server);
    const { token } = owner;
    await server.call('POST', '/skill-namespaces', { token, body: { namespace: 'com.full' } });
    await sql`insert into skills (id, owner_id, host, access, name, description, capability_type, provider, search, updated_at)
      select 'com.full.s' || n, ${owner.userId}, false, 'public', '', '', 'api', '', '', now()
      from generate_series(1, 1000) n`.execute(server.platform.db);
    const reply = await server.call('POST', '/skills', { token, body: makeDescriptor('com.full.one-more') });
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'LIMIT_REACHED' } } });
  });

  it('SD-8 a banned publisher’s private skill is gone also for those who were entitled', async () => {
    const owner = await signUp(server);
    const call = (method: string, path: string, person: Person, body?: object) =>
      server.call(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
    expect((await call('POST', '/skill-namespaces', owner, { namespace: 'com.banned' })).status).toBe(201);
    const descriptor = makeDescriptor('com.banned.secret', {
      access: 'private',
      auth: { type: 'api_key', header: 'x-api-key' },
    });
    expect((await call('POST', '/skills', owner, descriptor)).status).toBe(201);
    const path = '/skills/com.banned.secret';
    expect((await call('PUT', `${path}/entitlements/${reader.userId}`, owner)).status).toBe(204);
    expect((await call('GET', path, reader)).status).toBe(200);
    await ban(owner);
    expect((await call('GET', path, reader)).status).toBe(404);
    expect((await call('GET', '/skills?q=secret', reader)).body.total).toBe(0);
  });
});

describe('OP-5 attacks with versions that take long to compare', () => {
  const publishSkill = (descriptor: object, { token } = author) =>
    server.call('POST', '/skills', { token, body: descriptor });
  const claim = async (owner: Person) => {
    const namespace = freshNamespace();
    const { status } = await server.call('POST', '/skill-namespaces', { token: owner.token, body: { namespace } });
    expect(status).toBe(201);
    return `${namespace}.translate`;
  };

  it('OP-5 a skill is compared before anything is locked, and again if another version was published meanwhile', async () => {
    const id = await claim(author);
    expect((await publishSkill(makeDescriptor(id))).status).toBe(201);
    const original = server.platform.manifests.diffSkills;
    const compared: string[] = [];
    const spy = vi.spyOn(server.platform.manifests, 'diffSkills').mockImplementation(async (account, versions) => {
      const { before } = await versions.readTexts();
      compared.push(JSON.parse(before).version);
      // Nothing is locked: another version of the same skill can be published.
      if (compared.length === 1) {
        expect((await publishSkill(makeDescriptor(id, { version: '1.1.0', description: 'Middle' }))).status).toBe(201);
      }
      return original(account, versions);
    });
    const reply = await publishSkill(makeDescriptor(id, { version: '1.2.0', description: 'Last' }));
    spy.mockRestore();
    expect(reply.status).toBe(201);
    expect(compared).toEqual(['1.0.0', '1.0.0', '1.1.0']);
  });

  it('OP-5 a bundle, too', async () => {
    expect((await publish(makeBundle('compared'))).status).toBe(201);
    const original = server.platform.manifests.diffBundles;
    const compared: string[] = [];
    const spy = vi.spyOn(server.platform.manifests, 'diffBundles').mockImplementation(async (account, versions) => {
      const { before } = await versions.readTexts();
      compared.push(JSON.parse(before).version);
      if (compared.length === 1) expect((await publish(makeBundle('compared', { version: '1.1.0' }))).status).toBe(201);
      return original(account, versions);
    });
    const reply = await publish(makeBundle('compared', { version: '1.2.0' }));
    spy.mockRestore();
    expect(reply.status).toBe(201);
    expect(compared).toEqual(['1.0.0', '1.0.0', '1.1.0']);
  });

  it('OP-1 OP-5 attack: whoever has used up their time neither publishes nor compares, and nothing is written', async () => {
    const eve = await signUp(server);
    const id = await claim(eve);
    for (const version of ['1.0.0', '1.1.0']) {
      expect((await publishSkill(makeDescriptor(id, { version, access: 'public' }), eve)).status).toBe(201);
    }
    expect((await publish(makeBundle('long'), {}, eve)).status).toBe(201);
    server.platform.budgets.charge(eve.userId, { diff_ms_per_minute: 1e9 });
    const replies = [
      await publishSkill(makeDescriptor(id, { version: '1.2.0', description: 'More' }), eve),
      await publish(makeBundle('long', { version: '1.1.0' }), {}, eve),
      await server.call('GET', `/skills/${id}/diff?from=1.1.0&to=1.0.0`, { token: eve.token }),
    ];
    for (const { status, body } of replies) {
      expect({ status, code: body.error?.code }).toEqual({ status: 429, code: 'RATE_LIMITED' });
    }
    const { db } = server.platform;
    const skills = await db.selectFrom('skill_versions').select('version').where('skill_id', '=', id).execute();
    const bundles = await db.selectFrom('bundle_versions').select('version').where('bundle_id', '=', 'long').execute();
    expect([skills.length, bundles.length]).toEqual([2, 1]);
    // What someone else compares is at their own expense.
    const path = `/skills/${id}/diff?from=1.1.0&to=1.0.0`;
    expect((await server.call('GET', path, { token: author.token })).status).toBe(200);
    expect((await server.call('GET', path, { token: eve.token })).status).toBe(200);
  });

  it('OP-5 attack: who publishes under someone else’s name has nothing of it compared', async () => {
    const id = await claim(author);
    await publishSkill(makeDescriptor(id, { access: 'private' }));
    await publish(makeBundle('of-author'));
    const spies = [
      vi.spyOn(server.platform.manifests, 'diffSkills'),
      vi.spyOn(server.platform.manifests, 'diffBundles'),
    ];
    expect((await publishSkill(makeDescriptor(id, { version: '2.0.0' }), reader)).status).toBe(403);
    expect((await publish(makeBundle('of-author', { version: '2.0.0' }), {}, reader)).status).toBe(403);
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe('OP-5 attacks with what takes long to check', () => {
  it('OP-1 OP-5 attack: skills and bundles that are refused after a long check use up the processor time of whoever sent them', async () => {
    const small = await startTestServer({ budgets: { diff_ms_per_minute: 1 } });
    onTestFinished(() => small.drop());
    // Time does not give any of it back.
    small.clock.stop();
    const properties = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [
        `p${n}`,
        { type: 'string', pattern: `^(?:[a-z]{1,50}\\d{1,50}){1,20}${n}$` },
      ]),
    );
    const output = { content_type: 'application/json', schema: { type: 'object', properties } };
    const skill = makeDescriptor(`${freshNamespace()}.slow`, { output, tags: [1] });
    const roles = Array.from({ length: 2_000 }, (_, n) => ({ id: `r${n}`, label: 'R', purpose: 'P', kits: ['none'] }));
    const bundle = { manifest: makeBundle('slow', { roles }) };
    for (const [path, body, first] of [
      ['/skills', skill, 422],
      ['/bundles', bundle, 422],
      ['/api/validate', bundle, 200],
    ] as const) {
      const { token } = await signUp(small);
      const ask = async () => (await small.call('POST', path, { token, body })).status;
      expect([path, await ask(), await ask()]).toEqual([path, first, 429]);
    }
    const stranger = async () => (await small.call('POST', '/api/validate', { body: bundle })).status;
    expect([await stranger(), await stranger()]).toEqual([200, 429]);
    const { token } = await signUp(small);
    expect((await small.call('POST', '/bundles', { token, body: { manifest: makeBundle('fine') } })).status).toBe(201);
  });
});
