import { BUDGET_NAMES, BUDGETS } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBudgets } from '../src/admin/budgets.ts';
import { type Person, signUp } from './harness/accounts.ts';
import { makeManifest } from './harness/manifests.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await join();
  await server.platform.db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', admin.id).execute();
});
afterAll(() => server.drop());

interface Action {
  readonly action: string;
}
const join = () => signUp(server);
const usage = async (token: string) => (await server.call('GET', '/auth/account/usage', { token })).body.budgets;
const find = (budgets: readonly { name: string }[], name: string) => budgets.find((budget) => budget.name === name);
const set = (id: string, body: object) =>
  server.call('PATCH', `/admin/accounts/${id}/budgets`, { token: admin.token, body });

describe('OP-1 an account’s budgets', () => {
  it('OP-1 are shown to their owner, each with what is used', async () => {
    const ada = await join();
    const body = { name: 'Bot', capability_manifest: makeManifest() };
    expect((await server.call('POST', '/agents', { token: ada.token, body })).status).toBe(201);
    const budgets = await usage(ada.token);
    expect(budgets.map(({ name }: { name: string }) => name)).toEqual(BUDGET_NAMES);
    expect(find(budgets, 'agents')).toEqual({ name: 'agents', kind: 'stored', unit: 'agents', used: 1, limit: 500 });
    expect(find(budgets, 'manifest_versions')).toMatchObject({ used: 1, limit: BUDGETS.manifest_versions.default });
    expect(find(budgets, 'bytes_stored')).toMatchObject({ limit: BUDGETS.bytes_stored.default });
    expect(budgets.every(({ used }: { used: number }) => used >= 0)).toBe(true);
  });

  it('OP-1 OP-15 are changed by an operator at once, with a record of who, what and why', async () => {
    const ada = await join();
    await set(ada.id, { budgets: { frames_per_second: 9 }, reason: 'a trial' });
    const changed = await set(ada.id, { budgets: { agents: 2 }, reason: 'a trial' });
    expect(changed.status).toBe(200);
    expect(find(changed.body.budgets, 'agents')).toMatchObject({ limit: 2, default: 500, changed: true });
    expect(find(changed.body.budgets, 'bytes_stored')).toMatchObject({ changed: false });
    expect(find(await usage(ada.token), 'agents')).toMatchObject({ limit: 2 });

    const back = await set(ada.id, { budgets: { agents: null, frames_per_second: 9 } });
    expect(find(back.body.budgets, 'agents')).toMatchObject({ limit: 500, changed: false });
    expect(find(back.body.budgets, 'frames_per_second')).toMatchObject({ limit: 9, changed: true });
    const log = await server.call('GET', `/admin/actions?target_id=${ada.id}`, { token: admin.token });
    const actions = log.body.actions.toSorted((a: Action, b: Action) => (a.action < b.action ? -1 : 1));
    expect(actions).toMatchObject([
      { action: 'account.budget.agents.2', previous: 'default', admin_id: admin.id, reason: 'a trial' },
      { action: 'account.budget.agents.default', previous: '2', reason: '' },
      { action: 'account.budget.frames_per_second.9', previous: 'default', reason: 'a trial' },
    ]);
  });

  it('OP-1 the default that is shown is the one that counts on a node with few connections', async () => {
    const { databaseUrl } = server.config;
    const small = await startTestServer({ databaseUrl, poolSize: 4 });
    const { budgets } = await readBudgets(small.platform, admin.id);
    expect(find(budgets, 'connections')).toMatchObject({ limit: 2, default: 2, changed: false });
    await small.drop();
  });

  it('OP-1 nobody else reads or changes them', async () => {
    const [ada, eve] = [await join(), await join()];
    const path = `/admin/accounts/${ada.id}/budgets`;
    expect((await server.call('GET', path, { token: eve.token })).status).toBe(403);
    expect((await server.call('PATCH', path, { token: ada.token, body: { budgets: { agents: 9e6 } } })).status).toBe(
      403,
    );
    expect(find(await usage(ada.token), 'agents')).toMatchObject({ limit: 500 });
  });

  it.each([
    [{ agents: -1 }],
    [{ agents: 1.5 }],
    [{ agents: '7' }],
    [{ frames_per_second: 0 }],
    [{ connections: 0 }],
    [{ bytes_stored: 1e300 }],
    [{ no_such_budget: 1 }],
  ])('OP-1 %o is refused, and nothing changes', async (budgets) => {
    const ada = await join();
    expect((await set(ada.id, { budgets })).status).toBe(400);
    expect(find(await usage(ada.token), 'agents')).toMatchObject({ limit: 500 });
  });

  it('OP-1 an account that does not exist has none', async () => {
    const id = '00000000-0000-7000-8000-00000000abcd';
    expect((await set(id, { budgets: { agents: 1 } })).status).toBe(404);
    expect((await server.call('GET', `/admin/accounts/${id}/budgets`, { token: admin.token })).status).toBe(404);
  });
});
