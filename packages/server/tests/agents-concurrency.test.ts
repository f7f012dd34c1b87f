import { hashManifest } from '@parley/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneIdempotencyKeys } from '../src/http/idempotency.ts';
import { makeManifest } from './harness/manifests.ts';
import { type Agent, createAgent, signUp } from './harness/people.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let second: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // Another node on the same database: what holds must hold between processes, not within one.
  const { databaseUrl, tokenSecret, storageSecret } = server.config;
  second = await startTestServer({ databaseUrl, tokenSecret, storageSecret });
});
afterAll(async () => {
  await second.drop();
  await server.drop();
});

interface Attempt {
  readonly manifest: object;
  readonly headers?: Record<string, string>;
}

/** All at once, by turns on either node. */
function patchAll(agent: Agent, attempts: readonly Attempt[]): Promise<Reply[]> {
  return Promise.all(
    attempts.map(({ manifest, headers }, index) =>
      (index % 2 ? second : server).call('PATCH', `/agents/${agent.id}`, {
        token: agent.token,
        body: manifest,
        ...(headers ? { headers } : {}),
      }),
    ),
  );
}

const manifestOf = (index: number) => makeManifest({ agent_version: `1.0.${index}` });
const versions = (replies: readonly Reply[]) =>
  replies.map((reply) => reply.body.capability_manifest_version).sort((a, b) => a - b);

describe('RL-4 many at once', () => {
  it('RL-4 200 parallel PATCHes give the versions 1 to 200, each to one of them', async () => {
    const agent = await createAgent(server, await signUp(server));
    const replies = await patchAll(
      agent,
      Array.from({ length: 200 }, (_, index) => ({ manifest: manifestOf(index) })),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(versions(replies)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    const { rows } = await server.platform.storage.pool.query(
      'select version, hash from agent_manifests where agent_id = $1 order by version',
      [agent.id],
    );
    expect(rows.map((row) => row.version)).toEqual(versions(replies));
    const byVersion = new Map(replies.map(({ body }) => [body.capability_manifest_version, body]));
    expect(rows.every((row) => byVersion.get(row.version).capability_manifest_hash === row.hash)).toBe(true);
    const { body } = await server.call('GET', `/agents/${agent.id}`);
    expect(body).toMatchObject({ capability_manifest_version: 200, capability_manifest_hash: rows.at(-1)!.hash });
  });

  it('RL-4 of 20 parallel PATCHes with one If-Match exactly one wins', async () => {
    const owner = await signUp(server);
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const headers = { 'if-match': `"${hashManifest(makeManifest())}"` };
    const replies = await patchAll(
      agent,
      Array.from({ length: 20 }, (_, index) => ({ manifest: manifestOf(index + 1), headers })),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
    const winner = replies.find((reply) => reply.status === 200)!;
    const { body } = await server.call('GET', `/agents/${agent.id}`);
    expect(body).toMatchObject({
      capability_manifest_version: 2,
      capability_manifest_hash: winner.body.capability_manifest_hash,
    });
  });

  it('RL-4 20 parallel duplicates under one Idempotency-Key add one version and get one answer', async () => {
    const agent = await createAgent(server, await signUp(server));
    const headers = { 'idempotency-key': 'retry-storm' };
    const replies = await patchAll(
      agent,
      Array.from({ length: 20 }, () => ({ manifest: manifestOf(0), headers })),
    );
    expect(replies.map(({ status, body }) => ({ status, body }))).toEqual(
      Array.from({ length: 20 }, () => ({ status: 200, body: replies[0]!.body })),
    );
    const { body } = await server.call('GET', `/agents/${agent.id}`);
    expect(body.capability_manifest_version).toBe(1);
  });

  it('RL-4 a key that is a day old is forgotten, a younger one is not', async () => {
    const agent = await createAgent(server, await signUp(server));
    const { platform } = server;
    const patch = (key: string) =>
      server.call('PATCH', `/agents/${agent.id}`, {
        token: agent.token,
        body: manifestOf(0),
        headers: { 'idempotency-key': key },
      });
    await patch('old');
    server.clock.advance(23 * 3_600_000);
    await patch('young');
    server.clock.advance(2 * 3_600_000);
    // The job itself waits until it believes the clock (OP-13).
    await pruneIdempotencyKeys(platform.db, server.clock.now());
    const keys = async () => {
      const { rows } = await platform.storage.pool.query('select key from idempotency_keys where caller = $1', [
        `agent:${agent.id}`,
      ]);
      return rows.map((row) => row.key);
    };
    expect(await keys()).toEqual(['young']);
    expect((await patch('young')).body.capability_manifest_version).toBe(2);
    expect((await patch('old')).body.capability_manifest_version).toBe(3);
  });
});

describe('RL-1 tokens', () => {
  it('RL-1 are made of all 62 characters alike', async () => {
    const { createToken } = await import('../src/auth/agent-token.ts');
    const counts = new Map<string, number>();
    const rounds = 4_000;
    for (let round = 0; round < rounds; round++) {
      for (const character of createToken().token.slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    const expected = (rounds * 40) / 62;
    const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: above 140 once in some ten million fair runs; the modulo bias of a byte gives over 500.
    expect(chiSquared).toBeLessThan(140);
  });
});
