import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pruneAuth } from '../../src/accounts/prune.ts';
import { deviceBody, signInAgain, signUpWithDevice } from '../harness/accounts.ts';
import { readUsed } from '../harness/budgets.ts';
import { addition, nextStatement } from '../harness/device-list.ts';
import { makeDeviceKeys } from '../harness/keys.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const countDevices = async (accountId: string) => {
  const { rows } = await sql<{ all: number; stocks: number }>`
    select count(*)::int as all, count(s.owner_id)::int as stocks from devices d
    left join prekey_stocks s on s.owner_id = d.id where account_id = ${accountId}`.execute(server.platform.db);
  return rows[0]!;
};

/** What adding a device and revoking the one before leaves, as often as that. */
const addRevoked = (accountId: string, count: number, revokedAt: Date) =>
  sql`with added as (
      insert into devices (id, account_id, name, identity_key, exchange_key, revoked_at)
      select gen_random_uuid(), ${accountId}, 'd', md5(random()::text), md5(random()::text), ${revokedAt}
      from generate_series(1, ${count}) returning id)
    insert into prekey_stocks (owner_kind, owner_id, last_key_id) select 'device', id, 100 from added`.execute(
    server.platform.db,
  );

const addDevice = ({ token }: { token: string }) =>
  server.call('POST', '/devices', { token, body: deviceBody(makeDeviceKeys()) });

describe('OP-1 attack: devices that are added and revoked without end', () => {
  it('OP-1 attack: only the last hundred that were revoked are kept, and those that the list names', async () => {
    const eve = await signUpWithDevice(server);
    await addRevoked(eve.id, 500, new Date(server.clock.now().getTime() - 2 * 86_400_000));
    await sql`update devices set revoked_at = now() - interval '1 year', listed = false
      where id = ${eve.deviceId}`.execute(server.platform.db);
    const added = await addDevice(eve);
    expect(added.status).toBe(201);
    expect(await countDevices(eve.id)).toEqual({ all: 102, stocks: 100 });
    const { rows } = await sql`select from devices where id = ${eve.deviceId}`.execute(server.platform.db);
    expect(rows).toHaveLength(1);
  });

  it('OP-1 OP-2 attack: a hundred in a day are enough, and nobody is told of more', async () => {
    const eve = await signUpWithDevice(server);
    await addRevoked(eve.id, 99, server.clock.now());
    const { body } = await addDevice(eve);
    expect((await server.call('DELETE', `/devices/${body.device_id}`, { token: eve.token })).status).toBe(204);
    const again = await signInAgain(server, eve);
    const reply = await addDevice(again);
    expect(reply).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect((await countDevices(eve.id)).all).toBe(101);
  });

  it('OP-1 after a month none is kept that no list names; those that are live or were revoked lately stay', async () => {
    const eve = await signUpWithDevice(server);
    const now = server.clock.now();
    await addRevoked(eve.id, 30, new Date(now.getTime() - 31 * 86_400_000));
    await addRevoked(eve.id, 5, now);
    await sql`update devices set revoked_at = now() - interval '1 year', listed = false
      where id = ${eve.deviceId}`.execute(server.platform.db);
    await addDevice(eve);
    await pruneAuth(server.platform.db, now);
    expect((await countDevices(eve.id)).all).toBe(7);
  });

  it('OP-1 they count for their account until they go', async () => {
    const eve = await signUpWithDevice(server);
    const bytes = async () => (await readUsed(server, eve.token)).bytes_stored!;
    const before = await bytes();
    await addRevoked(eve.id, 10, new Date(0));
    expect(await bytes()).toBe(before + 10_000);
    await pruneAuth(server.platform.db, server.clock.now());
    expect(await bytes()).toBe(before);
  });

  it('OP-1 attack: a statement of the list writes no device again that it does not change', async () => {
    const eve = await signUpWithDevice(server);
    await addRevoked(eve.id, 50, server.clock.now());
    const versions = async () =>
      (
        await sql<{
          xmin: string;
        }>`select xmin::text from devices where account_id = ${eve.id} and revoked_at is not null
        order by id`.execute(server.platform.db)
      ).rows;
    const before = await versions();
    const keys = makeDeviceKeys();
    const added = await server.call('POST', '/devices', { token: eve.token, body: deviceBody(keys) });
    const statement = nextStatement(eve.list, addition({ id: added.body.device_id, keys }));
    const appended = await server.call('POST', '/devices/list', { token: eve.token, body: { statement } });
    expect(appended.body.error).toBeUndefined();
    expect(await versions()).toEqual(before);
  });
});
