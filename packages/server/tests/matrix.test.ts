import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLERS, type CallerKind, ROUTES, type RouteContract } from '@parley/protocol';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTestServer } from './harness/server.ts';
import { LAST, type Prepared, REQUESTS } from './matrix/requests.ts';
import { buildWorld, type World } from './matrix/world.ts';

const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;
const ORDERED = [...ROUTES].sort((a, b) => LAST.indexOf(nameOf(a)) - LAST.indexOf(nameOf(b)));

let world: World;
let workspace: string;
beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'parley-matrix-'));
  // One connection is for the jobs, so a request that held one while it waits for a second would never end (OP-1).
  world = await buildWorld(await startTestServer({ workspaces: { matrix: workspace }, poolSize: 2 }));
});
afterAll(async () => {
  await world.drop();
  rmSync(workspace, { recursive: true });
});

function send({ method, path }: RouteContract, token: string | undefined, prepared: Prepared): Promise<Reply> {
  const { params = {}, query, body, headers } = prepared;
  const filled = path.replace(/:(\w+)|\*/g, (whole, name: string = whole) => encodeURIComponent(params[name]!));
  return world.server.call(method, query ? `${filled}?${new URLSearchParams(query)}` : filled, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(headers ? { headers } : {}),
  });
}

async function answers(route: RouteContract, kind: CallerKind): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const token of await world.tokensOf(kind)) {
    const prepared = await REQUESTS[nameOf(route)]!(world, kind);
    replies.push(await send(route, prepared.token ?? token, prepared));
  }
  return replies;
}

test('TR-8 every route has a request in the table, and the table has no other', () => {
  expect(ROUTES.map(nameOf).sort()).toEqual(Object.keys(REQUESTS).sort());
});

test('TR-8 every route has a size limit, a rate limit and an answer for every kind of caller', () => {
  for (const route of ROUTES) {
    const { limit, access } = route;
    expect([nameOf(route), Object.keys(access).sort()]).toEqual([nameOf(route), [...CALLERS].sort()]);
    // What a new device is told of a whole account (EE-16) is the one thing that is larger.
    const most = nameOf(route) === 'PUT /devices/:device_id/welcome' ? 5 : 1;
    expect([nameOf(route), limit.body <= most * 1024 * 1024, limit.body >= 0]).toEqual([nameOf(route), true, true]);
    expect([nameOf(route), limit.perMinute > 0 && limit.perMinute <= 6_000]).toEqual([nameOf(route), true]);
  }
});

describe('TR-8 OP-1 the authorisation table', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  test.each(ORDERED.map((route) => ({ name: nameOf(route), route })))('TR-8 $name', async ({ route }) => {
    // A new minute, so that no limit is met.
    world.server.clock.advance(61_000);
    // Those who are refused come first: nothing they do may have happened.
    const kinds = [...CALLERS].sort((a, b) => route.access[b] - route.access[a]);
    const found: Partial<Record<CallerKind, number[]>> = {};
    for (const kind of kinds) {
      const replies = await answers(route, kind);
      found[kind] = replies.map(({ status }) => status);
      for (const { status, body } of replies) {
        if (status >= 400)
          expect(body.error).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
        else if (status !== 204)
          expect([kind, ajv.validate(route.reply, body), ajv.errors]).toEqual([kind, true, null]);
      }
    }
    const expected = Object.fromEntries(CALLERS.map((kind) => [kind, found[kind]!.map(() => route.access[kind])]));
    expect(found).toEqual(expected);
  });
});
