import { CREDENTIALS_VARIABLE, createSkillClient, readEnvironment } from '@parley/skills';
import { describe, expect, it } from 'vitest';
import { describeSkill, drop, fail, json, serveScript, type Turn } from './misbehaving-server.ts';

const client = () => createSkillClient({ allowLoopback: true });
const WELL_KNOWN = '/.well-known/skill-sharing';
const entry = (url: string, changes: object = {}) => ({
  id: 'com.example.echo',
  name: 'Echo',
  capability_type: 'api',
  description: 'Says it again.',
  descriptor_url: url,
  access: 'public',
  version: '1.0.0',
  ...changes,
});
const index = (...skills: unknown[]) => ({ protocol: { version: '1.0.0' }, provider: { name: 'Example' }, skills });

describe('SD-8 discovery', () => {
  it('reads the well-known index; bad entries are reported, not fatal', async () => {
    const good = entry('https://a.example/echo.json');
    const bad = entry('ftp://a.example/', { id: 'com.example.bad' });
    const server = await serveScript({ [WELL_KNOWN]: json(200, index(bad, 5, good)) });
    const found = await client().discover(server.origin);
    expect(found.index.skills).toEqual([good]);
    expect(found.problems.map(({ field }) => field)).toEqual(['/skills/0/descriptor_url', '/skills/1']);
  });

  it.each<[string, Turn, string]>([
    ['nothing there', fail(404), 'SKILL_NOT_FOUND'],
    ['a page', (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'OUTPUT_INVALID'],
    ['half an index', json(200, { skills: [] }), 'VALIDATION_ERROR'],
    ['another protocol', json(200, { ...index(), protocol: { version: '2.0.0' } }), 'VERSION_INCOMPATIBLE'],
    ['a dropped connection', drop, 'ENDPOINT_UNREACHABLE'],
  ])('%s is an error of its own', async (_, turn, code) => {
    const server = await serveScript({ [WELL_KNOWN]: turn });
    await expect(client().discover(server.origin)).rejects.toMatchObject({ code });
  });

  it('wants a domain, over https', async () => {
    await expect(client().discover('example.com/path')).rejects.toThrow(TypeError);
    await expect(client().discover('')).rejects.toThrow(TypeError);
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }];
    await expect(createSkillClient({ resolve }).discover('inner.example')).rejects.toMatchObject({
      code: 'ADDRESS_BLOCKED',
    });
    await expect(createSkillClient().discover('http://example.com')).rejects.toMatchObject({ code: 'ADDRESS_BLOCKED' });
  });

  it('searches a registry, page by page', async () => {
    const server = await serveScript({
      '/api/skills': [
        json(200, { skills: [entry('https://a.example/1')], total: 2, next_cursor: 'c' }),
        json(200, { skills: [entry('https://a.example/2', { version: 'x' })], total: 2, next_cursor: null }),
      ],
    });
    const registry = `${server.origin}/api/`;
    const first = await client().search(registry, { q: 'say & again', type: 'api', tag: 'a', limit: 1 });
    expect(first).toMatchObject({ skills: [{ descriptor_url: 'https://a.example/1' }], nextCursor: 'c' });
    const second = await client().search(registry, { q: 'say', cursor: 'c' });
    expect(second.skills).toEqual([]);
    expect(second.problems).toMatchObject([{ field: '/skills/0/version' }]);
    expect(second).not.toHaveProperty('nextCursor');
    expect(server.asked()).toEqual([
      'GET /api/skills?q=say+%26+again&type=api&tag=a&limit=1',
      'GET /api/skills?q=say&cursor=c',
    ]);
  });

  it('fetches and checks a descriptor', async () => {
    const good = describeSkill('https://a.example');
    const server = await serveScript({
      '/good': json(200, good),
      '/bad': json(200, { ...good, version: 'x' }),
      '/twice': (r) => void r.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"id":2}'),
    });
    expect(await client().fetchDescriptor(`${server.origin}/good`)).toEqual(good);
    await expect(client().fetchDescriptor(`${server.origin}/bad`)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { violations: [{ field: '/version' }] },
    });
    await expect(client().fetchDescriptor(`${server.origin}/twice`)).rejects.toMatchObject({
      details: { violations: [{ code: 'JSON_DUPLICATE_KEY' }] },
    });
    await expect(client().fetchDescriptor(`${server.origin}/none`)).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' });
  });

  it('SI-2 sends a bearer to its own origin only', async () => {
    const other = await serveScript({ '/d': json(200, describeSkill('https://a.example')) });
    const server = await serveScript({ '/d': (r) => r.writeHead(302, { location: `${other.origin}/d` }).end() });
    const map = { [server.origin]: { bearer: 't0ken' } };
    const credentials = readEnvironment({ [CREDENTIALS_VARIABLE]: JSON.stringify(map) });
    await client().fetchDescriptor(`${server.origin}/d`, { credentials });
    expect(server.hits[0]!.headers.authorization).toBe('Bearer t0ken');
    expect(other.hits[0]!.headers.authorization).toBeUndefined();
  });
});

describe('SD-8 the cache, by the rules of HTTP', () => {
  const answer =
    (headers: Record<string, string>): Turn =>
    (response, hit) => {
      if (headers.etag !== undefined && hit.headers['if-none-match'] === headers.etag)
        response.writeHead(304, headers).end();
      else json(200, index(entry('https://a.example/1')), headers)(response, hit);
    };

  it.each([
    ['max-age is used without asking', { 'cache-control': 'max-age=60' }, 1],
    ['no-store is always fetched', { 'cache-control': 'no-store', etag: '"a"' }, 3],
    ['no-cache is asked about', { 'cache-control': 'no-cache', etag: '"a"' }, 3],
    ['nothing said is fetched again', {}, 3],
  ])('%s', async (_, headers, requests) => {
    const server = await serveScript({ [WELL_KNOWN]: answer(headers as Record<string, string>) });
    const one = client();
    for (let n = 0; n < 3; n++) expect((await one.discover(server.origin)).index.skills).toHaveLength(1);
    expect(server.hits).toHaveLength(requests);
    const conditional = server.hits.filter((hit) => hit.headers['if-none-match'] !== undefined);
    expect(conditional).toHaveLength(headers['cache-control' as never] === 'no-cache' ? 2 : 0);
  });

  it('is not shared between credentials', async () => {
    const server = await serveScript({ [WELL_KNOWN]: answer({ 'cache-control': 'max-age=60' }) });
    const one = client();
    const as = (bearer: string) => ({
      credentials: readEnvironment({ [CREDENTIALS_VARIABLE]: JSON.stringify({ [server.origin]: { bearer } }) }),
    });
    await one.discover(server.origin, as('alice'));
    await one.discover(server.origin, as('bob'));
    await one.discover(server.origin);
    await one.discover(server.origin, as('alice'));
    expect(server.hits.map(({ headers }) => headers.authorization)).toEqual(['Bearer alice', 'Bearer bob', undefined]);
  });
});
