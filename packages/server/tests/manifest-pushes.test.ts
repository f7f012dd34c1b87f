import { createDeferred } from '@parley/base';
import type { Manifest } from '@parley/documents';
import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Agent, addAgent, addPerson, makeManifest, publish } from './harness/relations.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ poolSize: 4 });
});
afterAll(() => server.drop());
afterEach(() => void vi.restoreAllMocks());

const manifestOf = (version: number): Manifest => ({
  ...makeManifest({ 'a:read': 'low' }, { tool: { scope: 'a:read', properties: { path: { type: 'string' } } } }),
  agent_version: `1.0.${version}`,
});
const versionsOf = (replies: readonly Reply[]) =>
  replies.map(({ body }) => body.capability_manifest_version as number).sort((a, b) => a - b);

/** Someone who agrees to what the agent declares at this moment. */
async function agree(agent: Agent): Promise<void> {
  const { token } = await addPerson(server);
  const body = { agent_id: agent.id, granted_scopes: ['a:read'] };
  expect((await server.call('POST', '/h2a/relations', { token, body })).status).toBe(201);
}

describe('OP-5 pushes', () => {
  it('OP-5 attack: 250 pushes of one agent wait without a connection, and another account’s is done meanwhile', async () => {
    const { manifests, storage } = server.platform;
    const greedy = await addAgent(server, await addPerson(server), manifestOf(0));
    const innocent = await addAgent(server, await addPerson(server), manifestOf(0));
    const go = createDeferred();
    const diff = manifests.diff;
    let asked = 0;
    vi.spyOn(manifests, 'diff').mockImplementation(async (account, ...rest) => {
      if (account === greedy.owner.accountId) {
        asked++;
        await go.promise;
      }
      return diff(account, ...rest);
    });
    const pushes = Array.from({ length: 250 }, (_, index) => publish(server, greedy, manifestOf(index + 1)));
    const refused: Reply[] = [];
    for (const push of pushes) void push.then((reply) => reply.status !== 200 && refused.push(reply));
    await until(() => expect(refused).toHaveLength(250 - 128));
    expect(refused.every(({ status, headers }) => status === 429 && headers.get('retry-after') === '1')).toBe(true);
    expect((await publish(server, innocent, manifestOf(1))).body.capability_manifest_version).toBe(2);
    // One of them is being compared, the others wait for it; none holds a connection.
    expect(asked).toBe(1);
    expect(storage.pool.waitingCount).toBe(0);
    // The server's own jobs always hold one; its other work takes one now and then, for a moment.
    await until(() => expect(storage.pool.totalCount - storage.pool.idleCount).toBeLessThanOrEqual(1));
    go.resolve();
    const done = (await Promise.all(pushes)).filter(({ status }) => status === 200);
    expect(versionsOf(done)).toEqual(Array.from({ length: 128 }, (_, index) => index + 2));
  });

  it('OP-5 attack: 40 versions that people agree to are compared once each', async () => {
    const agent = await addAgent(server, await addPerson(server), manifestOf(0));
    for (let version = 1; version <= 40; version++) {
      await agree(agent);
      await publish(server, agent, manifestOf(version));
    }
    const compare = vi.spyOn(server.platform.manifests, 'compare');
    await publish(server, agent, manifestOf(100));
    expect(compare).toHaveBeenCalledTimes(40);
    await publish(server, agent, manifestOf(101));
    expect(compare).toHaveBeenCalledTimes(80);
    // What was compared before is known, even though the agent is at another version.
    await publish(server, agent, manifestOf(100));
    expect(compare).toHaveBeenCalledTimes(80);
  });

  it('OP-5 a version that was published between comparing and writing is compared with, too', async () => {
    const agent = await addAgent(server, await addPerson(server), manifestOf(0));
    const { manifests } = server.platform;
    const compare = manifests.diff;
    const diff = vi.spyOn(manifests, 'diff');
    // As another node would, which knows nothing of this one's queue.
    diff.mockImplementationOnce(async (...asked) => {
      const made = await compare(...asked);
      const other = await startTestServer({ ...server.config, port: 0 });
      await publish(other, agent, { ...manifestOf(1), permission_scopes: [], tools: [] });
      await other.drop();
      return made;
    });
    const { status, body } = await publish(server, agent, manifestOf(2));
    expect([status, body.capability_manifest_version]).toEqual([200, 3]);
    expect(diff).toHaveBeenCalledTimes(2);
    const codes = body.changes.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['scope.added', 'tool.added']));
  });

  it('OP-1 attack: whoever has used up the processor time for comparing waits, others do not', async () => {
    const strict = await startTestServer({ budgets: { diff_ms_per_minute: 1 } });
    try {
      const greedy = await addAgent(strict, await addPerson(strict), manifestOf(0));
      const innocent = await addPerson(strict);
      const push = (version: number) => publish(strict, greedy, manifestOf(version));
      let version = 1;
      let reply = await push(version);
      while (reply.status === 200) reply = await push(++version);
      expect(reply.body.error.code).toBe('RATE_LIMITED');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await addAgent(strict, innocent, manifestOf(0))).id).toBeDefined();
    } finally {
      await strict.drop();
    }
  });
});
