import { randomUUID } from 'node:crypto';
import { deviceStatementHash } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceBody, type Person, signInAgain, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import { addition, nextStatement, revocation, rotation } from '../../tests/harness/device-list.ts';
import { makeDeviceKeys, makeKeys, signStatement } from '../../tests/harness/keys.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createId } from '../id.ts';
import { pruneAuth } from './prune.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Owner = Awaited<ReturnType<typeof signUpWithDevice>>;
const add = (person: Pick<Person, 'token'>, body: object) =>
  server.call('POST', '/devices', { token: person.token, body });
const own = async (person: Pick<Person, 'token'>) =>
  (await server.call('GET', '/devices', { token: person.token })).body.devices;
const append = ({ token }: Pick<Person, 'token'>, statement: object) =>
  server.call('POST', '/devices/list', { token, body: { statement } });
const seenBy = (viewer: { token: string }, id: string) =>
  server.call('GET', `/accounts/${id}/devices`, { token: viewer.token });
const sessionOf = async ({ token }: Pick<Person, 'token'>) =>
  (await server.call('GET', '/auth/me', { token })).body.session_id;

/** Another device of the account, which waits to be let in, or was. */
async function addSecond(ada: Owner, { listed = false } = {}) {
  const session = await signInAgain(server, ada);
  const keys = makeDeviceKeys();
  const { body } = await add(session, deviceBody(keys, { pairing: makeKeys('x25519').publicKey }));
  const device = { ...session, id: body.device_id as string, accountId: ada.id, keys };
  if (listed) {
    const statement = nextStatement(ada.list, addition(device));
    expect((await append(ada, statement)).status).toBe(201);
    ada.list.statements.push(statement);
  }
  return device;
}

async function prove(session: Person, keys: ReturnType<typeof makeDeviceKeys>, sessionId?: string): Promise<string> {
  const statement = {
    purpose: 'parley-device-bind-v1',
    account_id: session.id,
    session_id: sessionId ?? (await sessionOf(session)),
    identity_key: keys.identity.publicKey,
  };
  return signStatement(statement, keys.identity);
}

async function converse(...ids: string[]) {
  const { db } = server.platform;
  const conversation_id = createId();
  await db.insertInto('conversations').values({ id: conversation_id, kind: 'h2h', title: null }).execute();
  await db
    .insertInto('members')
    .values(ids.map((member_id) => ({ conversation_id, member_kind: 'human' as const, member_id })))
    .execute();
  return conversation_id;
}

describe('EE-16 registering a device', () => {
  it('EE-16 the first device brings the list that names it; the session is bound to it', async () => {
    const ada = await signUpWithDevice(server);
    expect(await own(ada)).toMatchObject([
      { device_id: ada.deviceId, listed: true, current: true, pairing: null, certificate: null },
    ]);
    const me = (await server.call('GET', '/auth/me', { token: ada.token })).body;
    expect(me).toMatchObject({ device_id: ada.deviceId, account_key: ada.accountKey.publicKey });
  });

  it('EE-16 another one waits with its pairing request, which nobody sees once it was welcomed', async () => {
    const ada = await signUpWithDevice(server);
    const session = await signInAgain(server, ada);
    const keys = makeDeviceKeys();
    const pairing = makeKeys('x25519').publicKey;
    const { status, body } = await add(session, deviceBody(keys, { pairing, device_id: createId() }));
    expect([status, body]).toMatchObject([201, { listed: false, pairing, current: true }]);
    expect((await own(ada)).at(-1)).toMatchObject({ listed: false, pairing, current: false });
    await append(ada, nextStatement(ada.list, addition({ id: body.device_id, keys })));
    // Whoever let it in may be cut off before it was told: its code can be typed once more.
    expect((await own(ada)).at(-1)).toMatchObject({ listed: true, pairing });
    const welcome = { token: ada.token, body: { welcome: 'c2VhbGVk' } };
    expect((await server.call('PUT', `/devices/${body.device_id}/welcome`, welcome)).status).toBe(204);
    expect((await own(ada)).at(-1)).toMatchObject({ listed: true, pairing: null });
  });

  it('EE-16 a device that waits may show another code: its request is replaced, one of a listed device is not', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada);
    const pairing = makeKeys('x25519').publicKey;
    expect((await add(second, deviceBody(second.keys, { pairing }))).body).toMatchObject({
      device_id: second.id,
      pairing,
    });
    // Without one, the last stays.
    expect((await add(second, deviceBody(second.keys))).body.pairing).toBe(pairing);
    await append(ada, nextStatement(ada.list, addition(second)));
    const other = makeKeys('x25519').publicKey;
    expect((await add(second, deviceBody(second.keys, { pairing: other }))).body).toMatchObject({
      listed: true,
      pairing,
    });
  });

  it('EE-16 a device chooses its id, but none that is taken, by whomever', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    const device_id = createId();
    expect((await add(bob, deviceBody(makeDeviceKeys(), { device_id }))).body.device_id).toBe(device_id);
    for (const taken of [device_id, ada.deviceId]) {
      const session = await signInAgain(server, ada);
      const reply = await add(session, deviceBody(makeDeviceKeys(), { device_id: taken }));
      expect([reply.status, reply.body.error.code]).toEqual([409, 'ID_TAKEN']);
    }
    expect((await add(bob, deviceBody(makeDeviceKeys(), { device_id: randomUUID() }))).status).toBe(400);
    expect(await own(ada)).toHaveLength(1);
  });

  it('EE-16 attack: a stolen session cannot pass for a device that exists; the device comes back with a proof', async () => {
    const ada = await signUpWithDevice(server);
    const session = await signInAgain(server, ada);
    const wrong = await prove(session, ada.keys, await sessionOf(ada));
    expect((await add(session, deviceBody(ada.keys))).status).toBe(422);
    expect((await add(session, deviceBody(ada.keys, { proof: wrong }))).status).toBe(422);
    const proof = await prove(session, ada.keys);
    const swapped = deviceBody(ada.keys, { proof, exchange_key: makeKeys('x25519').publicKey });
    expect((await add(session, swapped)).status).toBe(422);
    const reply = await add(session, deviceBody(ada.keys, { proof }));
    expect(reply).toMatchObject({ status: 201, body: { device_id: ada.deviceId, listed: true } });
  });

  it('EE-16 a lost reply: the session of the device asks again without a proof, in the same words', async () => {
    const person = await signUp(server);
    const keys = makeDeviceKeys();
    const body = deviceBody(keys, { device_id: createId(), pairing: makeKeys('x25519').publicKey });
    const [first, again] = [await add(person, body), await add(person, body)];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect((await add(person, deviceBody({ ...keys, exchange: makeKeys('x25519') }))).status).toBe(422);
  });

  it('EE-16 flooding: an account has twenty devices at most, so that sealing for it ends', async () => {
    const ada = await signUp(server);
    const replies = [];
    for (let i = 0; i < 21; i++) replies.push(await add(ada, deviceBody(makeDeviceKeys())));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies[20]).toMatchObject({ status: 409, body: { error: { code: 'LIMIT_REACHED' } } });
    await server.call('DELETE', `/devices/${replies[0]!.body.device_id}`, { token: ada.token });
    expect((await add(await signInAgain(server, ada), deviceBody(makeDeviceKeys()))).status).toBe(201);
  });

  it.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`])(
    'EE-16 %j is no key',
    async (identity_key) => {
      const ada = await signUp(server);
      const body = deviceBody(makeDeviceKeys(), { identity_key });
      expect((await add(ada, body)).status).toBe(400);
    },
  );
});

describe('EE-16 the welcome of a new device', () => {
  const welcome = (from: { token: string }, deviceId: string, text = 'c2VhbGVk') =>
    server.call('PUT', `/devices/${deviceId}/welcome`, { token: from.token, body: { welcome: text } });

  it('EE-16 is read by that device and by no other', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada, { listed: true });
    expect((await welcome(ada, second.id)).status).toBe(204);
    const [first, mine] = await own(second);
    expect([first.welcome, mine.welcome]).toEqual([undefined, 'c2VhbGVk']);
    expect((await own(ada)).map((device: { welcome?: string }) => device.welcome)).toEqual([undefined, undefined]);
    expect((await welcome(ada, second.id, 'YW5ldw')).status).toBe(204);
    expect((await own(second))[1].welcome).toBe('YW5ldw');
  });

  it('EE-16 attack: neither a device that waits, nor a session without one, nor a stranger leaves one', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    const [second, third] = [await addSecond(ada, { listed: true }), await addSecond(ada)];
    expect((await welcome(third, second.id)).status).toBe(403);
    expect((await welcome(await signInAgain(server, ada), second.id)).status).toBe(403);
    expect((await welcome(eve, second.id)).status).toBe(404);
    expect((await own(second))[1].welcome).toBeUndefined();
  });

  it('EE-16 a device that the list does not have gets none', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada);
    expect((await welcome(ada, second.id)).status).toBe(404);
    expect((await welcome(ada, createId())).status).toBe(404);
  });

  it('EE-16 of many at once the last one stays, and none waits for another for ever', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada, { listed: true });
    const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => welcome(ada, second.id, `c2VhbGVk${n}`)));
    expect(replies.map(({ status }) => status)).toEqual(Array(9).fill(204));
    expect((await own(second))[1].welcome).toMatch(/^c2VhbGVk\d$/);
  });

  it('EE-16 holds what an account of many chains knows, but no more than four megabytes', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada, { listed: true });
    expect((await welcome(ada, second.id, 'A'.repeat(4 * 1024 * 1024))).status).toBe(204);
    expect((await welcome(ada, second.id, 'A'.repeat(4 * 1024 * 1024 + 1))).status).toBe(400);
    expect((await welcome(ada, second.id, 'A'.repeat(4 * 1024 * 1024 + 2048))).status).toBe(413);
    expect((await welcome(ada, second.id, 'not base64url!')).status).toBe(400);
  });

  it('EE-16 is kept for seven days, and not beyond a revocation', async () => {
    const ada = await signUpWithDevice(server);
    const [second, third] = [await addSecond(ada, { listed: true }), await addSecond(ada, { listed: true })];
    for (const { id } of [second, third]) await welcome(ada, id);
    const stored = async () => {
      const rows = server.platform.db.selectFrom('devices').select(['id', 'welcome']);
      const found = await rows.where('account_id', '=', ada.id).where('welcome', 'is not', null).execute();
      return found.map(({ id }) => id);
    };
    await server.call('DELETE', `/devices/${third.id}`, { token: ada.token });
    expect(await stored()).toEqual([second.id]);
    const later = (days: number) => new Date(server.clock.now().getTime() + days * 86_400_000);
    await pruneAuth(server.platform.db, later(6));
    expect(await stored()).toEqual([second.id]);
    await pruneAuth(server.platform.db, later(7));
    expect(await stored()).toEqual([]);
  });
});

describe('EE-18 a revoked device', () => {
  it('EE-18 by the server’s bare word: it loses its sessions and cannot come back; the list still has it', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUp(server)];
    const second = await addSecond(ada, { listed: true });
    const path = `/devices/${second.id}`;
    expect((await server.call('DELETE', path, { token: eve.token })).status).toBe(404);
    expect((await server.call('DELETE', path, { token: ada.token })).status).toBe(204);
    expect((await server.call('DELETE', path, { token: ada.token })).status).toBe(404);
    expect((await server.call('GET', '/auth/me', { token: second.token })).status).toBe(401);
    const refresh = await server.call('POST', '/auth/refresh', { headers: { cookie: second.cookie } });
    expect(refresh.status).toBe(401);
    const session = await signInAgain(server, ada);
    const again = await add(session, deviceBody(second.keys, { proof: await prove(session, second.keys) }));
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'DEVICE_REVOKED' } } });
    expect(await own(ada)).toHaveLength(1);
    const { statements, devices } = (await seenBy(ada, ada.id)).body;
    expect([statements.length, devices.length]).toEqual([2, 1]);
  });

  it('EE-18 by the list: the same, and its prekeys and cursors are gone', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada, { listed: true });
    const { db } = server.platform;
    const prekey = { owner_kind: 'device' as const, owner_id: second.id, key_id: 1, public_key: 'key' };
    await db.insertInto('one_time_prekeys').values(prekey).execute();
    await db
      .insertInto('event_cursors')
      .values({ consumer_kind: 'device', consumer_id: second.id, event_id: 1 })
      .execute();
    expect((await append(ada, nextStatement(ada.list, revocation(second.id)))).status).toBe(201);
    expect((await server.call('GET', '/auth/me', { token: second.token })).status).toBe(401);
    const session = await signInAgain(server, ada);
    const again = await add(session, deviceBody(second.keys, { proof: await prove(session, second.keys) }));
    expect(again.body.error.code).toBe('DEVICE_REVOKED');
    for (const table of ['one_time_prekeys', 'event_cursors'] as const) {
      const owner = table === 'event_cursors' ? 'consumer_id' : 'owner_id';
      const left = await db
        .selectFrom(table)
        .selectAll()
        .where(owner as never, '=', second.id as never)
        .execute();
      expect(left).toEqual([]);
    }
    expect((await server.call('GET', '/auth/me', { token: ada.token })).status).toBe(200);
  });

  it('EE-18 a device that the server cut off before is revoked by the list all the same', async () => {
    const ada = await signUpWithDevice(server);
    const second = await addSecond(ada, { listed: true });
    await server.call('DELETE', `/devices/${second.id}`, { token: ada.token });
    expect((await append(ada, nextStatement(ada.list, revocation(second.id)))).status).toBe(201);
  });
});

describe('EE-18 who sees devices', () => {
  it('EE-18 oneself and whoever shares a conversation; for others they do not exist', async () => {
    const ada = await signUpWithDevice(server);
    await addSecond(ada);
    const [bob, eve] = [await signUp(server), await signUp(server)];
    const conversation = await converse(ada.id, bob.id);
    expect((await seenBy(ada, ada.id)).status).toBe(200);
    const seen = await seenBy(bob, ada.id);
    // One that waits is nobody else's business.
    expect(seen.body).toEqual({
      account_id: ada.id,
      statements: ada.list.statements,
      length: 1,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
      devices: [
        {
          device_id: ada.deviceId,
          identity_key: ada.keys.identity.publicKey,
          exchange_key: ada.keys.exchange.publicKey,
          certificate: null,
        },
      ],
      account_key: null,
      revoked_devices: [],
    });
    const [stranger, nobody] = [await seenBy(eve, ada.id), await seenBy(eve, createId())];
    expect([stranger.status, nobody.status]).toEqual([404, 404]);
    expect(stranger.body.error.code).toBe(nobody.body.error.code);
    await server.platform.db
      .updateTable('members')
      .set({ left_at: new Date() })
      .where('conversation_id', '=', conversation)
      .where('member_id', '=', bob.id)
      .execute();
    expect((await seenBy(bob, ada.id)).status).toBe(404);
  });

  it('EE-18 ghost device: a row that the server inserts is in no list', async () => {
    const ada = await signUpWithDevice(server);
    const ghost = makeDeviceKeys();
    await server.platform.db
      .insertInto('devices')
      .values({
        id: createId(),
        account_id: ada.id,
        name: 'ghost',
        identity_key: ghost.identity.publicKey,
        exchange_key: ghost.exchange.publicKey,
        listed: true,
      })
      .execute();
    const { statements, length } = (await seenBy(ada, ada.id)).body;
    expect([statements, length]).toEqual([ada.list.statements, 1]);
  });

  it('EE-18 a long list has pages of a hundred', async () => {
    const ada = await signUpWithDevice(server);
    const { list } = ada;
    for (let n = 0; n < 100; n++) {
      const key = makeKeys('ed25519');
      list.statements.push(nextStatement(list, { action: 'rotate', rotation: rotation(key) }));
      list.accountKey = key;
    }
    const rows = list.statements.slice(1).map((statement) => ({
      account_id: ada.id,
      seq: statement.seq,
      hash: deviceStatementHash(statement),
      statement: JSON.stringify(statement),
    }));
    await server.platform.db.insertInto('device_statements').values(rows).execute();
    const page = async (after: number) =>
      (await server.call('GET', `/accounts/${ada.id}/devices?after=${after}`, { token: ada.token })).body;
    const [first, second] = [await page(0), await page(100)];
    expect([...first.statements, ...second.statements]).toEqual(list.statements);
    expect([first.statements.length, first.length, second.head]).toEqual([100, 101, first.head]);
    expect((await page(101)).statements).toEqual([]);
  });
});
