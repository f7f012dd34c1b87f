import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROUTES, type RouteContract } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KIT_FILES, makeBundle } from '../harness/bundles.ts';
import { type Reply, startTestServer } from '../harness/server.ts';
import { makeDescriptor } from '../harness/skills.ts';
import { REQUESTS } from '../matrix/requests.ts';
import { buildWorld, type World } from '../matrix/world.ts';

let world: World;
const workspace = mkdtempSync(join(tmpdir(), 'parley-matrix-'));
/** Pages that show something public of the owner's. */
const shown: string[] = [];
beforeAll(async () => {
  world = await buildWorld(await startTestServer({ workspaces: { matrix: workspace } }));
  const { make, tokenOf, people, agent } = world;
  const token = await tokenOf(people.owner);
  await make('POST', '/skill-namespaces', { token, body: { namespace: 'org.shown' } });
  await make('POST', '/skills', { token, body: makeDescriptor('org.shown.skill', { access: 'public' }) });
  await make('POST', '/bundles', {
    token,
    body: { manifest: makeBundle('shown-bundle'), kits: { search: KIT_FILES } },
  });
  shown.push('/skills/org.shown.skill', '/skills/org.shown.skill/versions/1.0.0', '/skills?q=translator');
  shown.push('/bundles/shown-bundle', '/bundles/shown-bundle/versions/1.0.0', '/bundles?q=bundle');
  shown.push(`/agents/${agent.id}`, '/agents?q=bot', '/agents');
});
afterAll(async () => {
  await world.drop();
  rmSync(workspace, { recursive: true });
});

const GETS = ROUTES.filter(({ method }) => method === 'GET');
const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;
/** Those for whom the owner and the member are strangers. */
const OUTSIDERS = ['anonymous', 'stranger', 'other_agent'] as const;

async function read(route: RouteContract, kind: (typeof OUTSIDERS)[number]): Promise<Reply[]> {
  const { params = {}, query, headers } = await REQUESTS[nameOf(route)]!(world, kind);
  const path = route.path.replace(/:(\w+)|\*/g, (whole, name = whole) => encodeURIComponent(params[name]!));
  const tokens = await world.tokensOf(kind);
  return Promise.all(
    tokens.map((token) =>
      world.server.call('GET', query ? `${path}?${new URLSearchParams(query)}` : path, {
        ...(token === undefined ? {} : { token }),
        ...(headers ? { headers } : {}),
      }),
    ),
  );
}

describe('AC-7 attack: account ids of strangers', () => {
  it('AC-7 attack: no route that is read shows one to anybody who has nothing to do with them', async () => {
    const { server, people } = world;
    const secret = [people.owner.id, people.member.id, people.admin.id];
    const leaks: string[] = [];
    let answered = 0;
    for (const route of GETS) {
      server.clock.advance(61_000);
      for (const kind of OUTSIDERS) {
        for (const { status, body } of await read(route, kind)) {
          if (status === 200) answered++;
          const text = JSON.stringify(body);
          if (secret.some((id) => text.includes(id))) leaks.push(`${kind} ${nameOf(route)}`);
        }
      }
    }
    expect(leaks).toEqual([]);
    expect(answered).toBeGreaterThan(30);
  });

  it('AC-7 attack: what someone publishes names them, and does not show their id; they see it themselves', async () => {
    const { server, people, tokenOf, agent } = world;
    for (const path of shown) {
      for (const token of [undefined, await tokenOf(people.stranger), await tokenOf(people.member)]) {
        const { status, body } = await server.call('GET', path, token === undefined ? {} : { token });
        expect([path, status]).toEqual([path, 200]);
        expect([path, JSON.stringify(body).includes(people.owner.id)]).toEqual([path, false]);
      }
    }
    const { body } = await server.call('GET', `/agents/${agent.id}`, {});
    expect(body.owner).toEqual({ display_name: 'Ada' });
    for (const path of [`/agents/${agent.id}`, '/bundles/shown-bundle']) {
      const own = await server.call('GET', path, { token: await tokenOf(people.owner) });
      expect(own.body.owner).toMatchObject({ user_id: people.owner.id, display_name: 'Ada' });
    }
  });
});
