import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import { makeKeys, signStatement } from '../../tests/harness/keys.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createToken } from '../auth/agent-token.ts';
import { createId } from '../id.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Owner = Awaited<ReturnType<typeof signUpWithDevice>>;
const range = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({ key_id: from + i, public_key: makeKeys('x25519').publicKey }));
const signedPrekey = (owner: Pick<Owner, 'keys'>, key_id = 1, signer = owner.keys.identity) => {
  const { publicKey: public_key } = makeKeys('x25519');
  const signature = signStatement({ purpose: 'parley-signed-prekey-v1', key_id, public_key }, signer);
  return { key_id, public_key, signature };
};
const put = (owner: Owner, one_time_prekeys: object[], signed_prekey: object = signedPrekey(owner)) =>
  server.call('PUT', '/keys', { token: owner.token, body: { signed_prekey, one_time_prekeys } });
const take = (taker: { token: string }, body: object) =>
  server.call('POST', '/keys/bundles', { token: taker.token, body });

async function converse(members: { kind: 'human' | 'agent'; id: string }[]) {
  const { db } = server.platform;
  const conversation_id = createId();
  await db.insertInto('conversations').values({ id: conversation_id, kind: 'group', title: null }).execute();
  await db
    .insertInto('members')
    .values(members.map(({ kind, id }) => ({ conversation_id, member_kind: kind, member_id: id })))
    .execute();
}
const human = ({ id }: { id: string }) => ({ kind: 'human' as const, id });

async function createAgent(owner: Person) {
  const { db } = server.platform;
  const id = createId();
  const keys = { identity: makeKeys('ed25519'), exchange: makeKeys('x25519') };
  await db
    .insertInto('agents')
    .values({
      id,
      owner_id: owner.id,
      name: 'bot',
      identity_key: keys.identity.publicKey,
      exchange_key: keys.exchange.publicKey,
      warnings: '[]',
    })
    .execute();
  const { token, tokenHash } = createToken();
  await db.insertInto('agent_tokens').values({ id: createId(), agent_id: id, token_hash: tokenHash }).execute();
  return { id, token, keys };
}

describe('EE-5 uploading prekeys', () => {
  it('EE-5 a device uploads and sees what is left', async () => {
    const ada = await signUpWithDevice(server);
    const reply = await put(ada, range(1, 20));
    expect(reply).toMatchObject({
      status: 200,
      body: { one_time_prekeys: 20, next_key_id: 21, signed_prekey_id: 1 },
    });
    const status = await server.call('GET', '/keys/status', { token: ada.token });
    expect(status.body).toEqual(reply.body);
  });

  it('EE-5 an agent uploads by its token', async () => {
    const agent = await createAgent(await signUp(server));
    const body = { signed_prekey: signedPrekey(agent), one_time_prekeys: range(1, 3) };
    const reply = await server.call('PUT', '/keys', { token: agent.token, body });
    expect(reply).toMatchObject({ status: 200, body: { one_time_prekeys: 3 } });
  });

  it('EE-5 a session without a device has nothing to upload for', async () => {
    const person = await signUp(server);
    const ada = await signUpWithDevice(server);
    const reply = await put({ ...ada, token: person.token }, []);
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'IDENTITY_MISSING' } } });
  });

  it('EE-5 a signed prekey that the identity key did not sign is refused', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUpWithDevice(server)];
    const good = signedPrekey(ada);
    const forged = [
      signedPrekey(ada, 1, eve.keys.identity),
      { ...good, key_id: 2 },
      { ...good, public_key: makeKeys('x25519').publicKey },
    ];
    for (const key of forged) {
      expect(await put(ada, range(1, 1), key)).toMatchObject({
        status: 422,
        body: { error: { code: 'SIGNATURE_INVALID' } },
      });
    }
    expect((await server.call('GET', '/keys/status', { token: ada.token })).body.one_time_prekeys).toBe(0);
  });

  it('EE-5 roll-back: an older signed prekey does not replace a newer one', async () => {
    const ada = await signUpWithDevice(server);
    const [old, current] = [signedPrekey(ada, 1), signedPrekey(ada, 2)];
    await put(ada, [], old);
    await put(ada, [], current);
    expect((await put(ada, [], old)).body.signed_prekey_id).toBe(2);
    expect((await take(ada, { devices: [ada.deviceId] })).body.bundles[0].signed_prekey).toEqual(current);
  });

  it('EE-5 keeps 100 one-time keys, the lowest ids first', async () => {
    const ada = await signUpWithDevice(server);
    await put(ada, range(1, 60));
    const reply = await put(ada, range(61, 60));
    expect(reply.body).toMatchObject({ one_time_prekeys: 100, next_key_id: 101 });
    expect((await put(ada, range(101, 101))).status).toBe(400);
  });

  it('EE-5 a key that was given away cannot be uploaded again; a repeated upload changes nothing', async () => {
    const ada = await signUpWithDevice(server);
    const keys = range(1, 2);
    await put(ada, keys);
    expect((await put(ada, keys)).body.one_time_prekeys).toBe(2);
    const first = await take(ada, { devices: [ada.deviceId] });
    expect(first.body.bundles[0].one_time_prekey).toEqual(keys[0]);
    expect((await put(ada, keys)).body.one_time_prekeys).toBe(1);
  });
});

describe('EE-5 bundles', () => {
  it('EE-5 carry identity, signed prekey and one one-time key, then none', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    await converse([human(ada), human(bob)]);
    const keys = range(1, 1);
    const signed = signedPrekey(ada);
    await put(ada, keys, signed);
    const [bundle] = (await take(bob, { devices: [ada.deviceId] })).body.bundles;
    expect(bundle).toEqual({
      kind: 'device',
      id: ada.deviceId,
      identity_key: ada.keys.identity.publicKey,
      exchange_key: ada.keys.exchange.publicKey,
      signed_prekey: signed,
      one_time_prekey: keys[0],
    });
    const [next] = (await take(bob, { devices: [ada.deviceId] })).body.bundles;
    expect(next).toMatchObject({ signed_prekey: signed, one_time_prekey: null });
  });

  it('EE-5 of agents and devices together, for an agent too', async () => {
    const ada = await signUpWithDevice(server);
    const [bot, other] = [await createAgent(ada), await createAgent(ada)];
    await converse([human(ada), { kind: 'agent', id: bot.id }]);
    await put(ada, range(1, 1));
    expect((await take(bot, { devices: [ada.deviceId] })).body.bundles[0].one_time_prekey.key_id).toBe(1);
    const both = await take(ada, { devices: [ada.deviceId], agents: [bot.id] });
    expect(both.body.bundles.map(({ id }: { id: string }) => id).sort()).toEqual([ada.deviceId, bot.id].sort());
    expect((await take(other, { devices: [ada.deviceId] })).status).toBe(404);
  });

  it('EE-5 for strangers neither devices nor agents exist, and asking costs no key', async () => {
    const [ada, eve] = [await signUpWithDevice(server), await signUp(server)];
    const bot = await createAgent(ada);
    await put(ada, range(1, 1));
    for (const body of [{ devices: [ada.deviceId] }, { agents: [bot.id] }, { devices: [randomUUID()] }]) {
      expect(await take(eve, body)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    }
    await converse([human(ada), human(eve)]);
    expect((await take(eve, { devices: [ada.deviceId], agents: [bot.id] })).status).toBe(404);
    expect((await server.call('GET', '/keys/status', { token: ada.token })).body.one_time_prekeys).toBe(1);
  });

  it('EE-5 one-time keys are never given twice: 50 takers at once', async () => {
    const ada = await signUpWithDevice(server);
    await put(ada, range(1, 40));
    const takers = await Promise.all(Array.from({ length: 10 }, () => signUp(server)));
    await converse([human(ada), ...takers.map(human)]);
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => take(takers[i % 10]!, { devices: [ada.deviceId] })),
    );
    const given = replies.flatMap(({ body }) => body.bundles[0].one_time_prekey?.key_id ?? []);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(given).size).toBe(given.length);
    const left = (await server.call('GET', '/keys/status', { token: ada.token })).body.one_time_prekeys;
    expect(given.length + left).toBe(40);
    expect(given.length).toBeGreaterThan(0);
  });

  it('EE-5 draining: one taker gets ten a day of a device, then bundles without', async () => {
    const [ada, eve, bob] = [await signUpWithDevice(server), await signUp(server), await signUp(server)];
    await converse([human(ada), human(eve), human(bob)]);
    await put(ada, range(1, 30));
    const replies = [];
    for (let i = 0; i < 15; i++) replies.push(await take(eve, { devices: [ada.deviceId] }));
    expect(replies.filter(({ body }) => body.bundles[0].one_time_prekey !== null)).toHaveLength(10);
    expect((await take(bob, { devices: [ada.deviceId] })).body.bundles[0].one_time_prekey).not.toBeNull();
  });

  it('EE-5 of a revoked device there are none', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    await converse([human(ada), human(bob)]);
    await put(ada, range(1, 3));
    await server.call('DELETE', `/devices/${ada.deviceId}`, { token: ada.token });
    expect((await take(bob, { devices: [ada.deviceId] })).status).toBe(404);
    const left = await server.platform.db
      .selectFrom('one_time_prekeys')
      .select('key_id')
      .where('owner_id', '=', ada.deviceId)
      .execute();
    expect(left).toEqual([]);
  });
});
