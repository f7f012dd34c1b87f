import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES, makeManifest, NETWORK, READ_FILE } from './harness/manifests.ts';
import { createAgent, type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = await signUp(server);
  const location = { id: 'location:read', label_i18n_key: 'k', sensitivity: 'high' };
  const fetch = { ...READ_FILE, name: 'fetch_web_page', permission_scope: 'network:http' };
  const agents = [
    { name: 'Weather Bot', description: 'Tells you about the sky.' },
    { name: 'Umbrella', description: 'Looks at the weather for you.' },
    { name: '天气助手', description: '查询全国天气预报' },
    { name: 'Files', capability_manifest: makeManifest({ capability_flags: { supports_streaming: true } }) },
    {
      name: 'Browser',
      capability_manifest: makeManifest({ tools: [fetch], permission_scopes: [NETWORK], capability_flags: {} }),
    },
    { name: 'Compass', capability_manifest: makeManifest({ permission_scopes: [FILES, location] }) },
    { name: 'Secret weather', visibility: 'private', capability_manifest: makeManifest() },
  ];
  for (const agent of agents) await createAgent(server, owner, agent);
});
afterAll(() => server.drop());

async function find(query: Record<string, string>, token?: string): Promise<string[]> {
  const { status, body } = await server.call('GET', `/agents?${new URLSearchParams(query)}`, token ? { token } : {});
  expect(status).toBe(200);
  return body.agents.map((agent: { name: string }) => agent.name);
}

describe('RL-5 search', () => {
  it('RL-5 finds by words, the name counting most', async () => {
    expect(await find({ q: 'weather' })).toEqual(['Weather Bot', 'Umbrella']);
    expect(await find({ q: 'WEATHER sky' })).toEqual(['Weather Bot']);
    expect(await find({ q: 'umbr' })).toEqual(['Umbrella']);
    expect(await find({ q: 'nothing like it' })).toEqual([]);
  });

  it('RL-5 finds Chinese, from one character to a phrase, in any part of a sentence', async () => {
    expect(await find({ q: '天气' })).toEqual(['天气助手']);
    expect(await find({ q: '预报' })).toEqual(['天气助手']);
    expect(await find({ q: '报' })).toEqual(['天气助手']);
    expect(await find({ q: '全国天气预报' })).toEqual(['天气助手']);
    expect(await find({ q: '气天' })).toEqual([]);
  });

  it('RL-5 finds by texts of tools and labels of scopes in either language', async () => {
    expect(await find({ q: '访问网页' })).toEqual(['Browser']);
    expect(await find({ q: 'fetch web pages' })).toEqual(['Browser']);
    expect((await find({ q: '读取你指定的文件' })).sort()).toEqual(['Browser', 'Compass', 'Files']);
    expect((await find({ q: '读取本地文件' })).sort()).toEqual(['Compass', 'Files']);
  });

  it('RL-5 filters by tool, scope, flag and highest sensitivity', async () => {
    expect(await find({ tool: 'fetch_web_page' })).toEqual(['Browser']);
    expect(await find({ scope: 'location:read' })).toEqual(['Compass']);
    expect(await find({ flag: 'supports_streaming' })).toEqual(['Files']);
    expect(await find({ max_sensitivity: 'medium', tool: 'read_file' })).toEqual(['Files']);
    expect((await find({ max_sensitivity: 'high', tool: 'read_file' })).sort()).toEqual(['Compass', 'Files']);
    expect(await find({ max_sensitivity: 'low', scope: 'network:http' })).toEqual([]);
    expect(await find({ q: 'weather', tool: 'read_file' })).toEqual([]);
  });

  it('RL-5 lists one’s own, private ones too, with mine=true; a stranger has none', async () => {
    expect(await find({ mine: 'true', q: 'weather' }, owner.token)).toEqual([
      'Secret weather',
      'Weather Bot',
      'Umbrella',
    ]);
    expect(await find({ mine: 'true' }, owner.token)).toHaveLength(7);
    const stranger = await signUp(server);
    expect(await find({ mine: 'true' }, stranger.token)).toEqual([]);
    expect((await server.call('GET', '/agents?mine=true')).status).toBe(401);
  });

  it('RL-5 follows what an agent says of itself now', async () => {
    const agent = await createAgent(server, owner, { name: 'Chameleon' });
    await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body: { name: 'Gecko' } });
    expect(await find({ q: 'chameleon' })).toEqual([]);
    expect(await find({ q: 'gecko' })).toEqual(['Gecko']);
    await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body: makeManifest() });
    expect(await find({ q: 'gecko', tool: 'read_file' })).toEqual(['Gecko']);
    await server.call('POST', `/agents/${agent.id}/suspend`, { token: owner.token });
    expect(await find({ q: 'gecko' })).toEqual([]);
    await server.call('DELETE', `/agents/${agent.id}`, { token: owner.token });
    expect(await find({ mine: 'true', q: 'gecko' }, owner.token)).toEqual([]);
  });

  it('RL-5 pages through equal and unequal ranks without a gap or a repetition', async () => {
    const names = Array.from({ length: 23 }, (_, index) => `Pelican ${index}${index % 3 ? '' : ' pelican'}`);
    for (const name of names) await createAgent(server, owner, { name });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await server.call('GET', `/agents?q=pelican&limit=5${cursor && `&cursor=${cursor}`}`);
      expect(page.body.agents.length).toBeLessThanOrEqual(5);
      seen.push(...page.body.agents.map((agent: { name: string }) => agent.name));
      cursor = page.body.next_cursor;
    }
    expect(seen).toHaveLength(23);
    expect([...seen].sort()).toEqual([...names].sort());
    // The repeated word ranks higher.
    expect(seen.slice(0, 8).every((name) => name.endsWith('pelican'))).toBe(true);
  });

  it('RL-5 lists without words, newest first, in pages', async () => {
    const first = await server.call('GET', '/agents?limit=3');
    const rest = await server.call('GET', `/agents?limit=100&cursor=${first.body.next_cursor}`);
    const ids = [...first.body.agents, ...rest.body.agents].map((agent: { agent_id: string }) => agent.agent_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(rest.body.next_cursor).toBeNull();
  });
});
