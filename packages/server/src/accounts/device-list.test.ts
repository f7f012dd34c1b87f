import { type DeviceStatement, deviceStatementHash } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceBody, signInAgain, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import {
  addition,
  keyBox,
  makeList,
  nameHeads,
  nextStatement,
  revocation,
  rotation,
  type TestDevice,
  type TestList,
  toListed,
} from '../../tests/harness/device-list.ts';
import { makeDeviceKeys, makeKeys, signStatement } from '../../tests/harness/keys.ts';
import { type Reply, startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createId } from '../id.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Owner = Awaited<ReturnType<typeof signUpWithDevice>>;
const register = (person: { token: string }, body: object) =>
  server.call('POST', '/devices', { token: person.token, body });
const post = ({ token }: { token: string }, statement: object) =>
  server.call('POST', '/devices/list', { token, body: { statement } });
const problemOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.params?.problem];
const INVALID = (problem: string) => [422, 'STATEMENT_INVALID', problem];
const endOf = ({ statements }: TestList) => ({
  length: statements.length,
  head: deviceStatementHash(statements.at(-1)!),
});

/** Appends, and takes it into the list. */
async function append({ list, token }: Pick<Owner, 'list' | 'token'>, statement: DeviceStatement): Promise<void> {
  const reply = await post({ token }, statement);
  expect([reply.status, reply.body.error?.params]).toEqual([201, undefined]);
  list.statements.push(statement);
  expect(reply.body).toEqual(endOf(list));
}

/** Another device with a session of its own, which waits. */
async function wait(person: Pick<Owner, 'id' | 'email' | 'token' | 'cookie'>): Promise<TestDevice & { token: string }> {
  const { token } = await signInAgain(server, person);
  const keys = makeDeviceKeys();
  const { body } = await register({ token }, deviceBody(keys));
  return { id: body.device_id, keys, token };
}

async function waitListed(ada: Owner, { keeper = false } = {}) {
  const device = await wait(ada);
  await append(ada, nextStatement(ada.list, addition(device)));
  if (keeper) await append(ada, nextStatement(ada.list, { action: 'keep', box: keyBox(device.id) }));
  return device;
}

const listed = async ({ token }: { token: string }): Promise<string[]> => {
  const { devices } = (await server.call('GET', '/devices', { token })).body;
  return devices
    .filter((device: { listed: boolean }) => device.listed)
    .map((device: TestDevice & { device_id: string }) => device.device_id);
};
const accountKeyOf = async ({ token }: { token: string }) =>
  (await server.call('GET', '/auth/me', { token })).body.account_key;
const isSignedIn = async ({ token }: { token: string }) =>
  (await server.call('GET', '/auth/me', { token })).status === 200;
const storedOf = async ({ id, token }: Pick<Owner, 'id' | 'token'>) =>
  (await server.call('GET', `/accounts/${id}/devices`, { token })).body.statements;

describe('EE-16 the first statement', () => {
  it('EE-16 attack: it names another device, more devices, other keys or another account', async () => {
    const person = await signUp(server);
    const first = { id: createId(), keys: makeDeviceKeys() };
    const other = { id: createId(), keys: makeDeviceKeys() };
    const send = (list: TestList) =>
      register(person, deviceBody(first.keys, { device_id: first.id, statement: list.statements[0] }));
    const forged: [string, TestList][] = [
      ['device', makeList(person.id, other)],
      ['device', makeList(person.id, { ...first, keys: other.keys })],
      ['device', makeList(person.id, { ...first, keys: { ...first.keys, exchange: makeKeys('x25519') } })],
      ['device', makeList(person.id, first, { devices: [toListed(first, true), toListed(other)] })],
      ['account', makeList(createId(), first)],
      ['keeper', makeList(person.id, first, { devices: [toListed(first, false)] })],
      [
        'action',
        {
          ...makeList(person.id, first),
          statements: [nextStatement({ ...makeList(person.id, first), statements: [] }, addition(first))],
        },
      ],
    ];
    for (const [problem, list] of forged) expect(problemOf(await send(list))).toEqual(INVALID(problem));
    // Nothing of it was stored, not even the device.
    expect((await server.call('GET', '/devices', { token: person.token })).body.devices).toEqual([]);
    expect((await send(makeList(person.id, first))).status).toBe(201);
  });

  it('EE-16 attack: one of its two signatures is not by the key that it names', async () => {
    const person = await signUp(server);
    const device = { id: createId(), keys: makeDeviceKeys() };
    const good = makeList(person.id, device);
    const foreign = makeKeys('ed25519').publicKey;
    const [statement] = good.statements as [Extract<DeviceStatement, { action: 'create' }>];
    for (const change of [
      { account_key: foreign },
      { recovery_key: foreign },
      { signature: statement.recovery_signature },
      { recovery_signature: statement.signature },
    ]) {
      const body = deviceBody(device.keys, { device_id: device.id, statement: { ...statement, ...change } });
      expect(problemOf(await register(person, body))).toEqual(INVALID('signature'));
    }
  });

  it('EE-16 the server’s own id cannot be in it, so the device must choose one', async () => {
    const person = await signUp(server);
    const device = { id: createId(), keys: makeDeviceKeys() };
    const [statement] = makeList(person.id, device).statements;
    expect(problemOf(await register(person, deviceBody(device.keys, { statement })))).toEqual(INVALID('device'));
  });

  it('EE-16 attack: a stolen session does not begin a second list, with the first device or later', async () => {
    const ada = await signUpWithDevice(server);
    const thief = { id: createId(), keys: makeDeviceKeys() };
    const forged = makeList(ada.id, thief).statements[0]!;
    const session = await signInAgain(server, ada);
    const body = deviceBody(thief.keys, { device_id: thief.id, statement: forged });
    const refused = await register(session, body);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'STATEMENT_CONFLICT' }, ...endOf(ada.list) } });
    expect((await post(session, forged)).body.error.code).toBe('STATEMENT_CONFLICT');
    expect(await accountKeyOf(ada)).toBe(ada.accountKey.publicKey);
    expect(await listed(ada)).toEqual([ada.deviceId]);
  });

  it('EE-16 of many first devices at once, one begins the list', async () => {
    const person = await signUp(server);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => {
        const device = { id: createId(), keys: makeDeviceKeys() };
        const [statement] = makeList(person.id, device).statements;
        return register(person, deviceBody(device.keys, { device_id: device.id, statement }));
      }),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.error?.code === 'STATEMENT_CONFLICT')).toHaveLength(7);
    expect((await server.call('GET', '/devices', { token: person.token })).body.devices).toHaveLength(1);
  });

  it('EE-16 a lost reply: the same registration again is answered as it was', async () => {
    const person = await signUp(server);
    const device = { id: createId(), keys: makeDeviceKeys() };
    const [statement] = makeList(person.id, device).statements;
    const body = deviceBody(device.keys, { device_id: device.id, statement });
    const [first, again] = [await register(person, body), await register(person, body)];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await storedOf(person)).toEqual([statement]);
  });

  it('EE-16 a device that registered without a list may begin one, while there is none', async () => {
    const person = await signUp(server);
    const device = { id: createId(), keys: makeDeviceKeys() };
    expect((await register(person, deviceBody(device.keys, { device_id: device.id }))).body.listed).toBe(false);
    const [statement] = makeList(person.id, device).statements;
    // It comes with the device, because only the device's own session may bring it.
    expect(problemOf(await post(person, statement!))).toEqual(INVALID('action'));
    const body = deviceBody(device.keys, { device_id: device.id, statement });
    expect((await register(person, body)).body).toMatchObject({ listed: true, device_id: device.id });
  });
});

describe('EE-18 appending', () => {
  it('EE-18 add, keep, rotate, revoke: the rows follow the list', async () => {
    const ada = await signUpWithDevice(server);
    const second = await waitListed(ada, { keeper: true });
    expect(await listed(ada)).toEqual([ada.deviceId, second.id]);
    const next = makeKeys('ed25519');
    await append(ada, nextStatement(ada.list, { action: 'rotate', rotation: rotation(next, [keyBox(second.id)]) }));
    ada.list.accountKey = next;
    expect(await accountKeyOf(ada)).toBe(next.publicKey);
    const last = makeKeys('ed25519');
    await append(ada, nextStatement(ada.list, { ...revocation(second.id), rotation: rotation(last) }));
    expect(await accountKeyOf(ada)).toBe(last.publicKey);
    expect(await listed(ada)).toEqual([ada.deviceId]);
    expect(await isSignedIn(second)).toBe(false);
    expect(await storedOf(ada)).toEqual(ada.list.statements);
  });

  it('EE-18 attack: a signature by a foreign key, of other words, or by the key of before', async () => {
    const ada = await signUpWithDevice(server);
    const second = await wait(ada);
    const good = nextStatement(ada.list, addition(second));
    const forged = [
      nextStatement(ada.list, addition(second), makeKeys('ed25519')),
      nextStatement(ada.list, addition(second), ada.list.recoveryKey),
      nextStatement(ada.list, addition(second), second.keys.identity),
      { ...good, created_at: '2026-01-02T03:04:06.000Z' },
      { ...good, signature: ada.list.statements[0]!.signature },
    ];
    for (const statement of forged) expect(problemOf(await post(ada, statement))).toEqual(INVALID('signature'));
    const old = ada.list.accountKey;
    const next = makeKeys('ed25519');
    await append(ada, nextStatement(ada.list, { action: 'rotate', rotation: rotation(next) }));
    expect(problemOf(await post(ada, nextStatement(ada.list, addition(second), old)))).toEqual(INVALID('signature'));
    expect(await listed(ada)).toEqual([ada.deviceId]);
  });

  it('EE-18 attack: a statement of another account, and one for it by that account’s key', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    const device = await wait(ada);
    expect(problemOf(await post(ada, nextStatement(ada.list, { ...addition(device), account_id: eve.id })))).toEqual(
      INVALID('account'),
    );
    const byEve = nextStatement({ ...ada.list, accountKey: eve.accountKey }, addition(device));
    expect(problemOf(await post(ada, byEve))).toEqual(INVALID('signature'));
    expect((await post(eve, nextStatement(ada.list, addition(device)))).body.error.code).toBe('STATEMENT_CONFLICT');
  });

  it('EE-18 attack: a stale statement, one that skips a number, and one on another head', async () => {
    const ada = await signUpWithDevice(server);
    const stale = nextStatement(ada.list, addition(await wait(ada)));
    await waitListed(ada);
    const device = await wait(ada);
    const attempts = [
      stale,
      nextStatement(ada.list, { ...addition(device), seq: 4 }),
      nextStatement(ada.list, { ...addition(device), prev: 'a'.repeat(64) }),
      nextStatement(ada.list, { ...addition(device), prev: null }),
      nextStatement(ada.list, { ...addition(device), seq: 1 }),
    ];
    for (const statement of attempts) {
      const { status, body } = await post(ada, statement);
      expect([status, body]).toMatchObject([409, { error: { code: 'STATEMENT_CONFLICT' }, ...endOf(ada.list) }]);
    }
  });

  it('EE-18 attack: of twenty successors at once one is stored, whoever sends them', async () => {
    const ada = await signUpWithDevice(server);
    const sessions = [ada, await waitListed(ada), await waitListed(ada)];
    const devices: TestDevice[] = [];
    for (let n = 0; n < 10; n++) devices.push(await wait(ada));
    const attempts = [
      ...devices.map((device) => nextStatement(ada.list, addition(device))),
      ...devices.map(() => nextStatement(ada.list, { action: 'rotate', rotation: rotation(makeKeys('ed25519')) })),
    ];
    const replies = await Promise.all(attempts.map((statement, n) => post(sessions[n % 3]!, statement)));
    const won = replies.findIndex(({ status }) => status === 201);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(19);
    const head = deviceStatementHash(attempts[won]!);
    for (const { status, body } of replies) if (status === 409) expect(body).toMatchObject({ head, length: 4 });
    expect((await storedOf(ada)).at(-1)).toEqual(attempts[won]);
  });

  it('EE-18 a lost reply: the same statement again is answered as if it had just been stored, also much later', async () => {
    const ada = await signUpWithDevice(server);
    const statement = nextStatement(ada.list, addition(await wait(ada)));
    await append(ada, statement);
    const end = endOf(ada.list);
    expect((await post(ada, statement)).body).toEqual(end);
    await waitListed(ada);
    expect(await post(ada, statement)).toMatchObject({ status: 201, body: end });
    expect(await storedOf(ada)).toEqual(ada.list.statements);
    // With another signature it is another statement.
    const forged = { ...statement, signature: ada.list.statements[0]!.signature };
    expect((await post(ada, forged)).body.error.code).toBe('STATEMENT_CONFLICT');
  });

  it('EE-18 attack: a device that is someone else’s, unknown, revoked, or has other keys', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    const [mine, gone] = [await wait(ada), await wait(ada)];
    await server.call('DELETE', `/devices/${gone.id}`, { token: ada.token });
    const foreign = await wait(eve);
    const attempts = [
      foreign,
      gone,
      { id: createId(), keys: makeDeviceKeys() },
      { id: mine.id, keys: makeDeviceKeys() },
      { id: mine.id, keys: { ...mine.keys, exchange: makeKeys('x25519') } },
      { id: ada.deviceId, keys: ada.keys },
    ];
    for (const device of attempts) {
      expect(problemOf(await post(ada, nextStatement(ada.list, addition(device))))).toEqual(INVALID('device'));
    }
    expect(await listed(ada)).toEqual([ada.deviceId]);
    expect(await listed(eve)).toEqual([eve.deviceId]);
  });

  it('EE-18 attack: a revoked device does not come back, by its row or by a row that was brought back', async () => {
    const ada = await signUpWithDevice(server);
    const second = await waitListed(ada);
    await append(ada, nextStatement(ada.list, revocation(second.id)));
    expect(problemOf(await post(ada, nextStatement(ada.list, addition(second))))).toEqual(INVALID('device'));
    await server.platform.db.updateTable('devices').set({ revoked_at: null }).where('id', '=', second.id).execute();
    expect(problemOf(await post(ada, nextStatement(ada.list, addition(second))))).toEqual(INVALID('device'));
  });

  it('EE-17 attack: a keeper is revoked without a new account key, which it knows', async () => {
    const ada = await signUpWithDevice(server);
    const [keeper, other] = [await waitListed(ada, { keeper: true }), await waitListed(ada)];
    expect(problemOf(await post(ada, nextStatement(ada.list, revocation(keeper.id))))).toEqual(INVALID('keeper'));
    const kept = { ...revocation(keeper.id), rotation: rotation(ada.list.accountKey) };
    expect(problemOf(await post(ada, nextStatement(ada.list, kept)))).toEqual(INVALID('keeper'));
    const told = { ...revocation(keeper.id), rotation: rotation(makeKeys('ed25519'), [keyBox(keeper.id)]) };
    expect(problemOf(await post(ada, nextStatement(ada.list, told)))).toEqual(INVALID('keeper'));
    const unheld = { ...revocation(keeper.id), rotation: { account_key: makeKeys('ed25519').publicKey, boxes: [] } };
    expect(problemOf(await post(ada, nextStatement(ada.list, unheld)))).toEqual(INVALID('signature'));
    expect(await isSignedIn(keeper)).toBe(true);
    // For another it may be replaced, too: whoever signs may not have been shown that it is a keeper.
    const cautious = { ...revocation(other.id), rotation: rotation(makeKeys('ed25519')) };
    expect((await post(ada, nextStatement(ada.list, cautious))).status).toBe(201);
  });

  it('EE-18 flooding: twenty devices are listed at most, those that the server cut off included', async () => {
    const ada = await signUpWithDevice(server);
    const { db } = server.platform;
    // As if nineteen had been let in: rows and statements.
    for (let n = 0; n < 19; n++) {
      const device = { id: createId(), keys: makeDeviceKeys() };
      const { device_id: id, identity_key, exchange_key } = toListed(device);
      const row = {
        id,
        identity_key,
        exchange_key,
        account_id: ada.id,
        name: 'device',
        listed: true,
        revoked_at: new Date(),
      };
      await db.insertInto('devices').values(row).execute();
      const statement = nextStatement(ada.list, addition(device));
      ada.list.statements.push(statement);
      await db
        .insertInto('device_statements')
        .values({
          account_id: ada.id,
          seq: statement.seq,
          hash: deviceStatementHash(statement),
          statement: JSON.stringify(statement),
        })
        .execute();
    }
    const reply = await post(ada, nextStatement(ada.list, addition(await wait(ada))));
    expect([reply.status, reply.body.error.code]).toEqual([409, 'LIMIT_REACHED']);
  });

  it('EE-18 flooding: a list is two megabytes at most, because everyone who writes to the account reads it', async () => {
    const ada = await signUpWithDevice(server);
    const heads = nameHeads(
      Array.from({ length: 8_000 }, (_, length) => ({ kind: 'ledger', id: ada.id, length, head: '' })),
    );
    const recover = () => {
      const next = makeKeys('ed25519');
      const content = { action: 'recover' as const, devices: [toListed({ id: ada.deviceId, keys: ada.keys }, true)] };
      return nextStatement(ada.list, { ...content, rotation: rotation(next), ...heads });
    };
    for (let n = 0; n < 7; n++) await append(ada, recover());
    const reply = await post(ada, recover());
    expect([reply.status, reply.body.error.code]).toEqual([409, 'LIMIT_REACHED']);
  });

  it('EE-18 fields that do not belong in a statement', async () => {
    const ada = await signUpWithDevice(server);
    const good = nextStatement(ada.list, addition(await wait(ada)));
    for (const change of [
      { note: '?' },
      { version: 2 },
      { action: 'destroy' },
      { keeper: true },
      { seq: 0 },
      { seq: 1.5 },
    ]) {
      expect((await post(ada, { ...good, ...change })).status).toBe(400);
    }
  });
});

describe('EE-17 recovery', () => {
  const recovery = (list: TestList, devices: readonly TestDevice[], next = makeKeys('ed25519')) =>
    nextStatement(list, {
      action: 'recover',
      devices: devices.map((device) => toListed(device, true)),
      rotation: rotation(next),
      ...nameHeads(),
    });

  it('EE-17 a device that nobody let in takes the account back: all others end, the account key is new', async () => {
    const ada = await signUpWithDevice(server);
    const lost = await waitListed(ada);
    const fresh = await wait(ada);
    const next = makeKeys('ed25519');
    await append({ ...ada, token: fresh.token }, recovery(ada.list, [fresh], next));
    expect(await listed(fresh)).toEqual([fresh.id]);
    expect([await isSignedIn(ada), await isSignedIn(lost), await isSignedIn(fresh)]).toEqual([false, false, true]);
    expect(await accountKeyOf(fresh)).toBe(next.publicKey);
    const other = await wait(ada);
    const late = nextStatement(ada.list, addition(other));
    expect(problemOf(await post(fresh, late))).toEqual(INVALID('signature'));
  });

  it('EE-17 devices that stay keep their sessions', async () => {
    const ada = await signUpWithDevice(server);
    const [second, third] = [await waitListed(ada), await waitListed(ada)];
    const first = { id: ada.deviceId, keys: ada.keys };
    await append(ada, recovery(ada.list, [first, third]));
    expect([await isSignedIn(ada), await isSignedIn(second), await isSignedIn(third)]).toEqual([true, false, true]);
  });

  it('EE-17 attack: without the recovery key nobody recovers, not even with the account key', async () => {
    const ada = await signUpWithDevice(server);
    const fresh = await wait(ada);
    const content = {
      action: 'recover' as const,
      devices: [toListed(fresh, true)],
      rotation: rotation(makeKeys('ed25519')),
    };
    for (const key of [ada.list.accountKey, makeKeys('ed25519')]) {
      const forged = nextStatement(ada.list, { ...content, ...nameHeads() }, key);
      expect(problemOf(await post(fresh, forged))).toEqual(INVALID('signature'));
    }
    expect(await isSignedIn(ada)).toBe(true);
  });

  it('EE-17 attack: a recovery to a device that is someone else’s or unknown', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    for (const device of [await wait(eve), { id: createId(), keys: makeDeviceKeys() }]) {
      expect(problemOf(await post(ada, recovery(ada.list, [device])))).toEqual(INVALID('device'));
    }
  });
});

describe('EE-14 an account of before there were lists', () => {
  /** With these devices, each certified under its account key. */
  async function signUpOld(devices: readonly TestDevice[], { revoked = [] as readonly TestDevice[] } = {}) {
    const person = await signUp(server);
    const accountKey = makeKeys('ed25519');
    const { db } = server.platform;
    await db.updateTable('accounts').set({ account_key: accountKey.publicKey }).where('id', '=', person.id).execute();
    const certificates = new Map<string, object>();
    for (const device of [...devices, ...revoked]) {
      const { identity_key, exchange_key } = toListed(device);
      const statement = {
        purpose: 'parley-device-v1',
        account_id: person.id,
        identity_key,
        exchange_key,
        created_at: '2025-01-01T00:00:00.000Z',
      };
      const certificate = { ...statement, signature: signStatement(statement, accountKey) };
      certificates.set(device.id, certificate);
      await db
        .insertInto('devices')
        .values({
          id: device.id,
          account_id: person.id,
          name: 'old',
          identity_key,
          exchange_key,
          certificate: JSON.stringify(certificate),
          listed: true,
          revoked_at: revoked.includes(device) ? new Date() : null,
        })
        .execute();
    }
    return { ...person, accountKey, certificates };
  }
  const makeDevice = (): TestDevice => ({ id: createId(), keys: makeDeviceKeys() });
  const seen = async ({ id, token }: { id: string; token: string }) =>
    (await server.call('GET', `/accounts/${id}/devices`, { token })).body;

  it('EE-14 its devices are read with their certificates, until there is a list', async () => {
    const [first, second, gone] = [makeDevice(), makeDevice(), makeDevice()];
    const ada = await signUpOld([first, second], { revoked: [gone] });
    const before = await seen(ada);
    expect(before).toMatchObject({ statements: [], length: 0, head: null, account_key: ada.accountKey.publicKey });
    expect(before.devices.map(({ certificate }: { certificate: object }) => certificate)).toEqual([
      ada.certificates.get(first.id),
      ada.certificates.get(second.id),
    ]);
    expect(before.revoked_devices).toMatchObject([{ device_id: gone.id, certificate: ada.certificates.get(gone.id) }]);
    const list = makeList(ada.id, first, {
      accountKey: ada.accountKey,
      devices: [toListed(first, true), toListed(second)],
    });
    expect((await post(ada, list.statements[0]!)).body).toEqual(endOf(list));
    const after = await seen(ada);
    expect(after).toMatchObject({ statements: list.statements, length: 1, account_key: null, revoked_devices: [] });
    expect(after.devices.map(({ certificate }: { certificate: null }) => certificate)).toEqual([null, null]);
  });

  it('EE-18 a device that the first statement leaves out is not listed any more, but waits', async () => {
    const [first, second] = [makeDevice(), makeDevice()];
    const ada = await signUpOld([first, second]);
    const list = makeList(ada.id, first, { accountKey: ada.accountKey });
    await post(ada, list.statements[0]!);
    expect(await listed(ada)).toEqual([first.id]);
    expect((await server.call('GET', '/devices', { token: ada.token })).body.devices).toHaveLength(2);
    await append({ list, token: ada.token }, nextStatement(list, addition(second)));
    expect(await listed(ada)).toEqual([first.id, second.id]);
  });

  it('EE-16 attack: a list under another account key, with the first device or apart', async () => {
    const first = makeDevice();
    const ada = await signUpOld([first]);
    const forged = makeList(ada.id, first);
    expect(problemOf(await post(ada, forged.statements[0]!))).toEqual(INVALID('signature'));
    const thief = makeDevice();
    const [statement] = makeList(ada.id, thief, { accountKey: ada.accountKey }).statements;
    const body = deviceBody(thief.keys, { device_id: thief.id, statement });
    expect(await register(ada, body)).toMatchObject({
      status: 409,
      body: { error: { code: 'STATEMENT_CONFLICT' }, head: null, length: 0 },
    });
    expect(await accountKeyOf(ada)).toBe(ada.accountKey.publicKey);
  });

  it('EE-18 attack: the first statement lists a device that is revoked, unknown or has other keys', async () => {
    const [first, gone] = [makeDevice(), makeDevice()];
    const ada = await signUpOld([first], { revoked: [gone] });
    for (const other of [gone, makeDevice()]) {
      const list = makeList(ada.id, first, {
        accountKey: ada.accountKey,
        devices: [toListed(first, true), toListed(other)],
      });
      expect(problemOf(await post(ada, list.statements[0]!))).toEqual(INVALID('device'));
    }
    const swapped = makeList(ada.id, { ...first, keys: makeDeviceKeys() }, { accountKey: ada.accountKey });
    expect(problemOf(await post(ada, swapped.statements[0]!))).toEqual(INVALID('device'));
  });

  it('EE-18 of its devices that begin a list at once, one does', async () => {
    const devices = [makeDevice(), makeDevice(), makeDevice()];
    const ada = await signUpOld(devices);
    const lists = devices.map((device) => makeList(ada.id, device, { accountKey: ada.accountKey }));
    const replies = await Promise.all(lists.map(({ statements }) => post(ada, statements[0]!)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});
