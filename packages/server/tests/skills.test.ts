import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { freshNamespace, makeDescriptor } from './harness/skills.ts';

let server: TestServer;
let operator: Person;
let owner: Person;
let friend: Person;
let stranger: Person;
beforeAll(async () => {
  server = await startTestServer();
  operator = await signUp(server);
  await server.makeOperator(operator.userId);
  [owner, friend, stranger] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
});
afterAll(() => server.drop());

const as = (person: Person | undefined) => (person === undefined ? {} : { token: person.token });
async function claim(person = owner, namespace = freshNamespace()): Promise<string> {
  const reply = await server.call('POST', '/skill-namespaces', { ...as(person), body: { namespace } });
  expect(reply.status).toBe(201);
  return namespace;
}
const publish = (descriptor: object, person = owner) =>
  server.call('POST', '/skills', { ...as(person), body: descriptor });

describe('namespaces', () => {
  it('SD-8 a claimed namespace, and names around or inside it, are nobody else’s', async () => {
    const namespace = await claim();
    for (const name of [namespace, `${namespace}.inner`]) {
      const reply = await server.call('POST', '/skill-namespaces', { ...as(stranger), body: { namespace: name } });
      expect(reply).toMatchObject({ status: 409, body: { error: { code: 'NAMESPACE_TAKEN' } } });
    }
    const deep = await claim(owner, `org.deep${Date.now()}.inner`);
    const around = deep.slice(0, deep.lastIndexOf('.'));
    const reply = await server.call('POST', '/skill-namespaces', { ...as(stranger), body: { namespace: around } });
    expect(reply.status).toBe(409);
  });

  it('SD-8 race for one namespace: exactly one of many wins', async () => {
    const namespace = freshNamespace();
    const replies = await Promise.all(
      [owner, friend, stranger, operator].map((person) =>
        server.call('POST', '/skill-namespaces', { ...as(person), body: { namespace } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('SD-8 outside one’s own the answer is 403, whether the id is taken or not', async () => {
    const namespace = await claim();
    await publish(makeDescriptor(`${namespace}.taken`, { access: 'private' }));
    const replies = await Promise.all(
      ['taken', 'free'].map((name) => publish(makeDescriptor(`${namespace}.${name}`), stranger)),
    );
    const [taken, free] = replies.map(({ status, body }) => ({
      status,
      code: body.error.code,
      params: body.error.params,
    }));
    expect(taken).toEqual({ status: 403, code: 'FORBIDDEN', params: {} });
    expect(free).toEqual(taken);
  });

  it('SD-8 squatting beside: a namespace does not hold what merely begins like it', async () => {
    const namespace = await claim();
    expect((await publish(makeDescriptor(`${namespace}evil.x`))).status).toBe(403);
    expect((await publish(makeDescriptor(namespace))).status).toBe(403);
  });
});

describe('publishing', () => {
  it('AC-7 attack: a skill that names another provider shows the account that published it, and no id', async () => {
    const id = `${await claim()}.translate`;
    await publish(makeDescriptor(id, { provider: { name: 'Parley' } }));
    const { body } = await server.call('GET', `/skills/${id}`);
    expect(body.owner).toEqual({
      display_name: expect.any(String),
      account_mark: expect.stringMatching(/^.{4}-.{4}$/),
    });
    const { body: found } = await server.call('GET', '/skills?provider=Parley');
    expect(found.skills).toMatchObject([{ id, provider: 'Parley', owner: body.owner }]);
    expect(JSON.stringify(found)).not.toContain(owner.userId);
    const { body: own } = await server.call('GET', `/skills/${id}`, as(owner));
    expect(own.owner).toEqual({ ...body.owner, user_id: owner.userId });
  });

  it('SD-5 everything that is wrong comes back at once', async () => {
    const namespace = await claim();
    const reply = await publish({ ...makeDescriptor(`${namespace}.x`), access: 'open', version: '1', auth: undefined });
    expect(reply.status).toBe(422);
    expect(reply.body.error.code).toBe('VALIDATION_ERROR');
    const fields = reply.body.details.violations.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(expect.arrayContaining(['/access', '/version', '/auth']));
  });

  it('SD-7 a version is immutable; publishing the same again changes nothing', async () => {
    const descriptor = makeDescriptor(`${await claim()}.x`);
    const first = await publish(descriptor);
    expect(first).toMatchObject({ status: 201, body: { version: '1.0.0', changes: [] } });
    expect((await publish(descriptor)).body.digest).toBe(first.body.digest);
    expect(await publish({ ...descriptor, name: 'Other' })).toMatchObject({
      status: 409,
      body: { error: { code: 'VERSION_EXISTS' } },
    });
  });

  it('SD-7 a breaking change without a new major is refused, with one it is taken', async () => {
    const id = `${await claim()}.x`;
    await publish(makeDescriptor(id));
    const inputs = [
      ...makeDescriptor(id).inputs,
      { name: 'tone', type: 'string', description: 'Formal or not', required: true },
    ];
    const refused = await publish(makeDescriptor(id, { version: '1.1.0', inputs }));
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'VERSION_BUMP_NEEDED' } } });
    expect(refused.body.changes.length).toBeGreaterThan(0);
    expect((await publish(makeDescriptor(id, { version: '2.0.0', inputs }))).status).toBe(201);
    // A fix for those who stayed on the first major is compared with what they use.
    expect((await publish(makeDescriptor(id, { version: '1.0.1' }))).status).toBe(201);
    const { body } = await server.call('GET', `/skills/${id}`, as(undefined));
    expect(body.version).toBe('2.0.0');
    expect(body.versions.map(({ version }: { version: string }) => version)).toEqual(['2.0.0', '1.0.1', '1.0.0']);
  });

  it('SD-7 concurrent publications of one version: one content wins, none is mixed', async () => {
    const id = `${await claim()}.x`;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => publish(makeDescriptor(id, { name: `Name ${index}` }))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('who may see what', () => {
  /** Every way there is to learn of a skill. */
  const PATHS = (id: string) => [
    `/skills/${id}`,
    `/skills/${id}/versions/1.0.0`,
    `/skills/${id}/diff?from=1.0.0&to=1.0.0`,
  ];
  const LISTS = (word: string) => [
    `/skills?q=${word}`,
    `/skills?tag=${word}`,
    `/skills?provider=${word}`,
    '/skill-tags',
    '/.well-known/skill-sharing',
  ];

  it('SD-8 a private skill exists only for its owner and the entitled, on every read path', async () => {
    const namespace = freshNamespace();
    const host = await server.call('POST', '/skill-namespaces', { ...as(operator), body: { namespace, host: true } });
    expect(host.status).toBe(201);
    const word = `w${namespace.slice(5)}`;
    const id = `${namespace}.secret`;
    const descriptor = makeDescriptor(id, { access: 'private', name: word, tags: [word], provider: { name: word } });
    expect((await publish(descriptor, operator)).status).toBe(201);
    await server.call('PUT', `/skills/${id}/entitlements/${friend.userId}`, as(operator));

    for (const person of [undefined, stranger]) {
      for (const path of PATHS(id)) {
        const reply = await server.call('GET', path, as(person));
        const never = await server.call('GET', path.replace('secret', 'never'), as(person));
        expect([path, reply.status, reply.body.error.code]).toEqual([path, 404, never.body.error.code]);
        expect(reply.body.error.params).toEqual(never.body.error.params);
      }
      for (const path of LISTS(word)) {
        const reply = await server.call('GET', path, as(person));
        expect([path, reply.status, JSON.stringify(reply.body).includes(word)]).toEqual([path, 200, false]);
        if ('total' in reply.body) expect(reply.body.total).toBe(0);
      }
    }
    for (const person of [operator, friend]) {
      for (const path of PATHS(id)) expect((await server.call('GET', path, as(person))).status).toBe(200);
      for (const path of LISTS(word)) {
        const reply = await server.call('GET', path, as(person));
        expect([path, JSON.stringify(reply.body).includes(word)]).toEqual([path, true]);
      }
    }
    await server.call('DELETE', `/skills/${id}/entitlements/${friend.userId}`, as(operator));
    expect((await server.call('GET', `/skills/${id}`, as(friend))).status).toBe(404);
  });

  it('SD-8 the access of the highest version governs all of them', async () => {
    const id = `${await claim()}.x`;
    await publish(makeDescriptor(id));
    expect((await server.call('GET', `/skills/${id}/versions/1.0.0`)).status).toBe(200);
    await publish(makeDescriptor(id, { version: '2.0.0', access: 'private' }));
    expect((await server.call('GET', `/skills/${id}/versions/1.0.0`)).status).toBe(404);
    // A later fix of an old version does not open it again.
    await publish(makeDescriptor(id, { version: '1.0.1' }));
    expect((await server.call('GET', `/skills/${id}/versions/1.0.1`)).status).toBe(404);
  });

  it('SD-8 a stranger may not change, one who may see is told so', async () => {
    const id = `${await claim()}.x`;
    await publish(makeDescriptor(id, { access: 'private' }));
    const yank = (person: Person) =>
      server.call('PUT', `/skills/${id}/versions/1.0.0/yanked`, { ...as(person), body: { yanked: true } });
    expect((await yank(stranger)).status).toBe(404);
    await server.call('PUT', `/skills/${id}/entitlements/${friend.userId}`, as(owner));
    expect((await yank(friend)).status).toBe(403);
    expect((await yank(owner)).body).toMatchObject({ version: '1.0.0', yanked: true });
  });
});

describe('finding', () => {
  it('SD-8 a yanked version leaves search and stays readable by name', async () => {
    const namespace = await claim();
    const id = `${namespace}.x`;
    const name = `Yankable ${namespace}`;
    await publish(makeDescriptor(id, { name }));
    await publish(makeDescriptor(id, { name, version: '1.1.0' }));
    const found = async () => (await server.call('GET', `/skills?q=${encodeURIComponent(name)}`)).body.skills;
    expect((await found()).map(({ version }: { version: string }) => version)).toEqual(['1.1.0']);
    const yank = (version: string) =>
      server.call('PUT', `/skills/${id}/versions/${version}/yanked`, { ...as(owner), body: { yanked: true } });
    await yank('1.1.0');
    expect((await found()).map(({ version }: { version: string }) => version)).toEqual(['1.0.0']);
    await yank('1.0.0');
    expect(await found()).toEqual([]);
    expect((await server.call('GET', `/skills/${id}/versions/1.1.0`)).body.version).toBe('1.1.0');
  });

  it('SD-8 search is ranked, filtered by type, tag and provider, in Chinese too, and paged without gaps', async () => {
    const namespace = await claim();
    const provider = { name: `Provider ${namespace}` };
    const ids = await Promise.all(
      Array.from({ length: 7 }, async (_, index) => {
        const id = `${namespace}.s${index}`;
        await publish(
          makeDescriptor(id, { provider, name: `技能翻译 ${index}`, capability_type: index < 3 ? 'task' : 'api' }),
        );
        return id;
      }),
    );
    const query = `provider=${encodeURIComponent(provider.name)}`;
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await server.call('GET', `/skills?${query}&q=${encodeURIComponent('翻译')}&limit=3${more}`);
      expect(body.total).toBe(7);
      pages.push(...body.skills.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    expect(pages.toSorted()).toEqual(ids.toSorted());
    const tasks = await server.call('GET', `/skills?${query}&type=task`);
    expect(tasks.body.total).toBe(3);
    expect((await server.call('GET', '/skills?cursor=nonsense')).status).toBe(400);
  });

  it('SD-8 the index lists the host’s own skills only, with addresses that answer', async () => {
    const namespace = freshNamespace();
    await server.call('POST', '/skill-namespaces', { ...as(operator), body: { namespace, host: true } });
    const own = `${namespace}.own`;
    await publish(makeDescriptor(own), operator);
    const other = `${await claim()}.other`;
    await publish(makeDescriptor(other));
    const { body } = await server.call('GET', '/.well-known/skill-sharing');
    const entry = body.skills.find(({ id }: { id: string }) => id === own);
    expect(body.skills.some(({ id }: { id: string }) => id === other)).toBe(false);
    const { pathname } = new URL(entry.descriptor_url);
    const reply = await server.call('GET', pathname);
    expect(reply.body).toEqual(makeDescriptor(own));
    expect(reply.headers.get('etag')).toMatch(/^"[0-9a-f]{64}"$/);
  });

  it('SD-8 only operators may claim a namespace for the host', async () => {
    const reply = await server.call('POST', '/skill-namespaces', {
      ...as(owner),
      body: { namespace: freshNamespace(), host: true },
    });
    expect(reply.status).toBe(403);
  });
});
