import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockEvents } from '../../src/events/inbox.ts';
import { networkOf } from '../../src/http/network-of.ts';
import type { Trx } from '../../src/storage/database.ts';
import { deviceBody, PASSWORD, signInAgain, signUpWithDevice } from '../harness/accounts.ts';
import { signStatement } from '../harness/keys.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.drop());

/** Until so many statements of this database wait for a lock, or `done` has come first. */
async function untilBlocked(count: number, done?: Promise<unknown>): Promise<void> {
  let over = false;
  void done?.then(() => {
    over = true;
  });
  for (;;) {
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(server.platform.db);
    if (over || rows[0]!.blocked >= count) return;
  }
}

describe('TR-9 attacks on accounts', () => {
  it('EE-14 bound while it is revoked: a session cannot become that of a device that ends at the same moment', async () => {
    const person = await signUpWithDevice(server);
    const thief = await signInAgain(server, person);
    const { body: me } = await server.call('GET', '/auth/me', { token: thief.token });
    const proof = signStatement(
      {
        purpose: 'parley-device-bind-v1',
        account_id: person.id,
        session_id: me.session_id,
        identity_key: person.keys.identity.publicKey,
      },
      person.keys.identity,
    );
    const { bind, revoke } = await server.platform.db.transaction().execute(async (trx) => {
      await sql`select from sessions where id = ${me.session_id} for update`.execute(trx);
      const bind = server.call('POST', '/devices', { token: thief.token, body: deviceBody(person.keys, { proof }) });
      await untilBlocked(1);
      const revoke = server.call('DELETE', `/devices/${person.deviceId}`, { token: person.token });
      await untilBlocked(2, revoke);
      return { bind, revoke };
    });
    expect([(await bind).status, (await revoke).status]).toEqual([201, 204]);
    const after = await server.call('GET', '/auth/me', { token: thief.token });
    expect([after.status, after.body.device_id]).toEqual([401, undefined]);
  });

  it('TR-9 deleted while its events are numbered: neither waits for the other without end', async () => {
    const person = await signUpWithDevice(server);
    const { db } = server.platform;
    for (const n of [1, 2, 3])
      await server.platform.events.send([{ kind: 'human', id: person.id }], 'ping' as never, { n });
    const rows = await db
      .selectFrom('events')
      .select('id')
      .where('recipient_id', '=', person.id)
      .orderBy('id')
      .execute();
    const [first, last] = [rows[0]!.id, rows.at(-1)!.id];
    const number = (trx: Trx, id: number) =>
      sql`update events set position = nextval('event_positions') where id = ${id}`.execute(trx);
    const deletion = await db.transaction().execute(async (trx) => {
      await lockEvents(trx, person.id);
      await number(trx, last);
      const deletion = server.call('DELETE', '/auth/account', {
        token: person.token,
        body: { account_password: PASSWORD },
      });
      await untilBlocked(1);
      await number(trx, first);
      return { deletion };
    });
    expect((await deletion.deletion).status).toBe(204);
    expect(await db.selectFrom('events').select('id').where('recipient_id', '=', person.id).execute()).toEqual([]);
  });

  it('TR-8 token guessing: wrong tokens run into the limit of the route like anyone nameless', async () => {
    const guess = () => server.call('GET', '/auth/account/export', { token: `hsk_${'x'.repeat(40)}` });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  it('TR-8 a network of addresses: an IPv6 network is one guesser, however many addresses it has', async () => {
    const ask = (address: string) =>
      server.call('POST', '/auth/send-code', {
        body: { email: 'someone@example.org' },
        headers: { 'x-forwarded-for': address },
      });
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++) statuses.push((await ask(`2001:db8:0:7::${host}`)).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429, 429]);
    expect((await ask('2001:db8:0:8::1')).status).toBe(202);
  });

  it.each([
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0DB8:0000:0000:ffff::', '2001:db8:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('TR-8 %s is counted as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
