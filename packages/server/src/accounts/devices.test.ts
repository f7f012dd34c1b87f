import type { JsonObject } from '@parley/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certify,
  deviceBody,
  type Person,
  signInAgain,
  signUp,
  signUpWithDevice,
} from '../../tests/harness/accounts.ts';
import { makeDeviceKeys, makeKeys, signStatement } from '../../tests/harness/keys.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createId } from '../id.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const add = (person: Person, body: object) => server.call('POST', '/devices', { token: person.token, body });
const own = async (person: Person) => (await server.call('GET', '/devices', { token: person.token })).body;
const seenBy = (viewer: { token: string }, id: string) =>
  server.call('GET', `/accounts/${id}/devices`, { token: viewer.token });
const sessionOf = async ({ token }: Person) => (await server.call('GET', '/auth/me', { token })).body.session_id;

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

describe('EE-14 device certificates', () => {
  it('EE-14 the first device sets the account key; the session is bound to it', async () => {
    const ada = await signUpWithDevice(server);
    const { account_key, devices } = await own(ada);
    expect(account_key).toBe(ada.accountKey.publicKey);
    expect(devices).toMatchObject([{ device_id: ada.deviceId, status: 'certified', current: true }]);
    expect((await server.call('GET', '/auth/me', { token: ada.token })).body.device_id).toBe(ada.deviceId);
  });

  it('EE-14 a second device with a certificate is certified, one without waits', async () => {
    const ada = await signUpWithDevice(server);
    const [second, third] = [await signInAgain(server, ada), await signInAgain(server, ada)];
    const keys = makeDeviceKeys();
    const certified = await add(second, deviceBody(keys, { certificate: certify(ada.accountKey, ada.id, keys) }));
    expect(certified).toMatchObject({ status: 201, body: { status: 'certified' } });
    const waiting = await add(third, deviceBody(makeDeviceKeys()));
    expect(waiting).toMatchObject({ status: 201, body: { status: 'pending', certificate: null } });
  });

  it('EE-14 a device that waits is certified from another one', async () => {
    const ada = await signUpWithDevice(server);
    const keys = makeDeviceKeys();
    const waiting = await add(await signInAgain(server, ada), deviceBody(keys));
    const path = `/devices/${waiting.body.device_id}/certificate`;
    const certificate = certify(ada.accountKey, ada.id, keys, { device_id: waiting.body.device_id });
    const reply = await server.call('PUT', path, { token: ada.token, body: { certificate } });
    expect(reply).toMatchObject({ status: 200, body: { status: 'certified', certificate } });
    const events = await server.platform.db
      .selectFrom('events')
      .select('payload')
      .where('recipient_id', '=', ada.id)
      .where('type', '=', 'device.changed')
      .orderBy('id')
      .execute();
    expect(events.map(({ payload }) => payload).slice(-2)).toEqual([
      { device_id: waiting.body.device_id, change: 'added' },
      { device_id: waiting.body.device_id, change: 'certified' },
    ]);
    const eve = await signUpWithDevice(server);
    expect((await server.call('PUT', path, { token: eve.token, body: { certificate } })).status).toBe(404);
  });

  it('EE-14 forged certificates are refused: another signer, subject, account, purpose or byte', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    const session = await signInAgain(server, ada);
    const keys = makeDeviceKeys();
    const good = certify(ada.accountKey, ada.id, keys);
    const forged: JsonObject[] = [
      certify(eve.accountKey, ada.id, keys),
      certify(ada.accountKey, eve.id, keys),
      certify(ada.accountKey, ada.id, makeDeviceKeys()),
      certify(ada.accountKey, ada.id, { identity: keys.identity, exchange: makeKeys('x25519') }),
      certify(ada.accountKey, ada.id, keys, { device_id: ada.deviceId }),
      { ...good, created_at: '2026-01-02T00:00:00.000Z' },
    ];
    for (const certificate of forged) {
      const reply = await add(session, deviceBody(keys, { certificate }));
      expect(reply).toMatchObject({ status: 422, body: { error: { code: 'SIGNATURE_INVALID' } } });
    }
    for (const change of [{ purpose: 'parley-device-v2' }, { admin: true }, { created_at: '\u0000' }]) {
      const certificate = certify(ada.accountKey, ada.id, keys, change);
      expect((await add(session, deviceBody(keys, { certificate }))).status).toBe(400);
    }
    expect((await own(ada)).devices).toHaveLength(1);
  });

  it('EE-14 ghost device: one that the server inserts is seen without a certificate', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    await converse(ada.id, bob.id);
    const ghost = makeDeviceKeys();
    const id = createId();
    await server.platform.db
      .insertInto('devices')
      .values({
        id,
        account_id: ada.id,
        name: 'ghost',
        identity_key: ghost.identity.publicKey,
        exchange_key: ghost.exchange.publicKey,
        certificate: null,
      })
      .execute();
    const { devices } = (await seenBy(bob, ada.id)).body;
    expect(devices).toContainEqual({
      device_id: id,
      identity_key: ghost.identity.publicKey,
      exchange_key: ghost.exchange.publicKey,
      certificate: null,
      status: 'pending',
    });
    expect(devices.filter(({ status }: { status: string }) => status === 'certified')).toHaveLength(1);
  });

  it('EE-14 a stolen session cannot replace the account key', async () => {
    const ada = await signUpWithDevice(server);
    const thief = { session: await signInAgain(server, ada), accountKey: makeKeys('ed25519'), keys: makeDeviceKeys() };
    const certificate = certify(thief.accountKey, ada.id, thief.keys);
    const body = deviceBody(thief.keys, { account_key: thief.accountKey.publicKey, certificate });
    expect(await add(thief.session, body)).toMatchObject({
      status: 409,
      body: { error: { code: 'ACCOUNT_KEY_CONFLICT' } },
    });
    expect((await own(ada)).account_key).toBe(ada.accountKey.publicKey);
    const replace = (signer: typeof ada.accountKey, old: string) => {
      const statement = {
        purpose: 'parley-account-key-v1',
        account_id: ada.id,
        old_account_key: old,
        new_account_key: thief.accountKey.publicKey,
        created_at: '2026-01-01T00:00:00.000Z',
      };
      const { new_account_key: account_key, created_at } = statement;
      return server.call('PUT', '/devices/account-key', {
        token: thief.session.token,
        body: { account_key, created_at, signature: signStatement(statement, signer) },
      });
    };
    expect((await replace(thief.accountKey, ada.accountKey.publicKey)).status).toBe(422);
    expect((await replace(ada.accountKey, thief.accountKey.publicKey)).status).toBe(422);
    expect((await replace(ada.accountKey, ada.accountKey.publicKey)).status).toBe(204);
    const { account_key, devices } = await own(ada);
    expect(account_key).toBe(thief.accountKey.publicKey);
    expect(devices[0].status).toBe('pending');
  });

  it('EE-14 of many first devices at once, one sets the account key', async () => {
    const ada = await signUp(server);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => {
        const [accountKey, keys] = [makeKeys('ed25519'), makeDeviceKeys()];
        const certificate = certify(accountKey, ada.id, keys);
        return add(ada, deviceBody(keys, { account_key: accountKey.publicKey, certificate }));
      }),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
    expect((await own(ada)).devices).toHaveLength(1);
  });

  it('EE-14 a stolen session cannot pass for a device that exists; the device itself comes back with a proof', async () => {
    const ada = await signUpWithDevice(server);
    const session = await signInAgain(server, ada);
    const statement = {
      purpose: 'parley-device-bind-v1',
      account_id: ada.id,
      session_id: await sessionOf(session),
      identity_key: ada.keys.identity.publicKey,
    };
    const proof = signStatement(statement, ada.keys.identity);
    const wrong = signStatement({ ...statement, session_id: await sessionOf(ada) }, ada.keys.identity);
    expect((await add(session, deviceBody(ada.keys))).status).toBe(422);
    expect((await add(session, deviceBody(ada.keys, { proof: wrong }))).status).toBe(422);
    const reply = await add(session, deviceBody(ada.keys, { proof }));
    expect(reply).toMatchObject({ status: 201, body: { device_id: ada.deviceId, status: 'certified' } });
  });

  it('EE-14 a revoked device loses its sessions and cannot come back with its old certificate', async () => {
    const ada = await signUpWithDevice(server);
    const second = await signInAgain(server, ada);
    const keys = makeDeviceKeys();
    const body = deviceBody(keys, { certificate: certify(ada.accountKey, ada.id, keys) });
    const { device_id } = (await add(second, body)).body;
    const eve = await signUp(server);
    const path = `/devices/${device_id}`;
    expect((await server.call('DELETE', path, { token: eve.token })).status).toBe(404);
    expect((await server.call('DELETE', path, { token: ada.token })).status).toBe(204);
    expect((await server.call('GET', '/auth/me', { token: second.token })).status).toBe(401);
    const refresh = await server.call('POST', '/auth/refresh', { headers: { cookie: second.cookie } });
    expect(refresh.status).toBe(401);
    const again = await add(await signInAgain(server, ada), body);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'DEVICE_REVOKED' } } });
    expect((await own(ada)).devices).toHaveLength(1);
  });
});

describe('EE-14 how many devices', () => {
  it('EE-14 flooding: an account has twenty devices at most, so that sealing for it ends', async () => {
    const ada = await signUp(server);
    const replies = [];
    for (let i = 0; i < 21; i++) replies.push(await add(ada, deviceBody(makeDeviceKeys())));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies[20]).toMatchObject({ status: 409, body: { error: { code: 'LIMIT_REACHED' } } });
    await server.call('DELETE', `/devices/${replies[0]!.body.device_id}`, { token: ada.token });
    expect((await add(ada, deviceBody(makeDeviceKeys()))).status).toBe(201);
  });
});

describe('EE-14 who sees devices', () => {
  it('EE-14 oneself and whoever shares a conversation; for others they do not exist', async () => {
    const ada = await signUpWithDevice(server);
    const [bob, eve] = [await signUp(server), await signUp(server)];
    const conversation = await converse(ada.id, bob.id);
    expect((await seenBy(ada, ada.id)).status).toBe(200);
    const seen = await seenBy(bob, ada.id);
    expect(seen.body).toMatchObject({ account_id: ada.id, account_key: ada.accountKey.publicKey, revoked_devices: [] });
    expect(Object.keys(seen.body.devices[0]).sort()).toEqual([
      'certificate',
      'device_id',
      'exchange_key',
      'identity_key',
      'status',
    ]);
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

  it('EE-14 what a revoked device signed can still be verified', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    await converse(ada.id, bob.id);
    await server.call('DELETE', `/devices/${ada.deviceId}`, { token: ada.token });
    const { devices, revoked_devices } = (await seenBy(bob, ada.id)).body;
    expect(devices).toEqual([]);
    expect(revoked_devices).toMatchObject([{ device_id: ada.deviceId, identity_key: ada.keys.identity.publicKey }]);
  });

  it.each(['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, `${'A'.repeat(42)}+`])(
    'EE-14 %j is no key',
    async (identity_key) => {
      const ada = await signUp(server);
      const body = deviceBody(makeDeviceKeys(), { identity_key });
      expect((await add(ada, body)).status).toBe(400);
    },
  );
});
