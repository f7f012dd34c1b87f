import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certify,
  deviceBody,
  makeDeviceKeys,
  makeKeys,
  signInAgain,
  signStatement,
  signUp,
  signUpWithDevice,
} from './harness/accounts.ts';
import { startReceiver } from './harness/receiver.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, type Frame } from './harness/socket.ts';
import { addBot, addTalker, type Bot, relate, type Talker } from './harness/talk.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Person = Awaited<ReturnType<typeof signUpWithDevice>>;
const asTalker = ({ id, token, deviceId }: Person): Talker => ({
  id,
  token,
  deviceId,
  sender: { kind: 'human', id, device_id: deviceId },
  caller: { kind: 'human', accountId: id, sessionId: '', deviceId, role: 'user' },
});

const eventsOf = async (id: string): Promise<unknown[]> => {
  const rows = await server.platform.db
    .selectFrom('events')
    .select('payload')
    .where('recipient_id', '=', id)
    .where('type', '=', 'account.devices_changed')
    .execute();
  return rows.map(({ payload }) => payload);
};
const replaceKey = (person: Person, next: { publicKey: string }) => {
  const created_at = '2026-02-03T04:05:06.000Z';
  const statement = {
    purpose: 'parley-account-key-v1',
    account_id: person.id,
    old_account_key: person.accountKey.publicKey,
    new_account_key: next.publicKey,
    created_at,
  };
  const signature = signStatement(statement, person.accountKey);
  const body = { account_key: next.publicKey, created_at, signature };
  return server.call('PUT', '/devices/account-key', { token: person.token, body });
};

/** Ann, an agent and a friend of hers, and someone she has nothing to do with. */
async function prepare() {
  const ann = await signUpWithDevice(server);
  const [bob, eve] = [await addTalker(server), await addTalker(server)];
  const bot = await addBot(server, bob);
  const other = await addBot(server, bob);
  await relate(server, asTalker(ann), bot);
  const body = { kind: 'h2h', members: [{ kind: 'human', id: bob.id }] };
  await server.call('POST', '/conversations', { token: ann.token, body });
  return { ann, bob, eve, bot, other };
}

describe('EE-14 whoever seals for someone hears of their devices', () => {
  it('EE-14 certified, revoked, key replaced: contacts are told, people and agents, and nobody else', async () => {
    const { ann, bob, eve, bot, other } = await prepare();
    const expected = { account_id: ann.id };
    const steps: (() => Promise<unknown>)[] = [];
    let waiting = '';
    const keys = makeDeviceKeys();
    steps.push(async () => {
      const session = await signInAgain(server, ann);
      const { body } = await server.call('POST', '/devices', { token: session.token, body: deviceBody(keys) });
      waiting = body.device_id;
      // One that waits for approval changes nothing for others.
      expect(await eventsOf(bot.id)).toEqual([]);
      const certificate = certify(ann.accountKey, ann.id, keys, { device_id: waiting });
      return server.call('PUT', `/devices/${waiting}/certificate`, { token: ann.token, body: { certificate } });
    });
    steps.push(() => server.call('DELETE', `/devices/${waiting}`, { token: ann.token }));
    steps.push(async () => {
      const session = await signInAgain(server, ann);
      const fresh = makeDeviceKeys();
      const body = deviceBody(fresh, { certificate: certify(ann.accountKey, ann.id, fresh) });
      return server.call('POST', '/devices', { token: session.token, body });
    });
    steps.push(() => replaceKey(ann, makeKeys('ed25519')));
    for (const [index, step] of steps.entries()) {
      await step();
      for (const { id } of [bot, bob]) expect(await eventsOf(id)).toEqual(Array(index + 1).fill(expected));
    }
    // Her own devices, too: also when the first was certified.
    expect(await eventsOf(ann.id)).toEqual(Array(steps.length + 1).fill(expected));
    for (const { id } of [eve, other]) expect(await eventsOf(id)).toEqual([]);
  });

  it('EE-14 over a socket at once, by polling, and by webhook', async () => {
    const { ann, bob, bot } = await prepare();
    const hook = await startReceiver();
    const hooked = await addBot(server, bob, { mode: 'webhook' });
    await relate(server, asTalker(ann), hooked);
    const put = await server.call('PUT', `/agents/${hooked.id}/webhook`, { token: bob.token, body: { url: hook.url } });
    expect(put.status).toBe(200);
    const sockets = [await connect(server, bot), await connect(server, bob)];
    const session = await signInAgain(server, ann);
    const fresh = makeDeviceKeys();
    const body = deviceBody(fresh, { certificate: certify(ann.accountKey, ann.id, fresh) });
    await server.call('POST', '/devices', { token: session.token, body });
    for (const socket of sockets) {
      expect(await socket.next('account.devices_changed')).toMatchObject({ account_id: ann.id });
      await socket.end();
    }
    const polled = await poll(bot);
    expect(polled.filter(({ type }) => type === 'account.devices_changed')).toMatchObject([{ account_id: ann.id }]);
    await expect
      .poll(() => hook.received.map((delivery) => JSON.parse(delivery.body)))
      .toMatchObject([{ type: 'account.devices_changed', data: { account_id: ann.id } }]);
    await hook.close();
  });

  it('EE-14 the chain of account keys is there to follow, each signed by the one before', async () => {
    const { ann, bob } = await prepare();
    const [second, third] = [makeKeys('ed25519'), makeKeys('ed25519')];
    await replaceKey(ann, second);
    await replaceKey({ ...ann, accountKey: second }, third);
    const { body } = await server.call('GET', `/accounts/${ann.id}/devices`, { token: bob.token });
    expect(body.account_key).toBe(third.publicKey);
    expect(body.account_key_changes).toMatchObject([
      { old_account_key: ann.accountKey.publicKey, new_account_key: second.publicKey },
      { old_account_key: second.publicKey, new_account_key: third.publicKey },
    ]);
    const { signature, ...change } = body.account_key_changes[1];
    const statement = { purpose: 'parley-account-key-v1', account_id: ann.id, ...change };
    expect(signStatement(statement, second)).toBe(signature);
    const own = await server.call('GET', '/devices', { token: ann.token });
    expect(own.body.account_key_changes).toEqual(body.account_key_changes);
  });

  it('EE-14 a change that nobody signed is not in the chain', async () => {
    const { ann } = await prepare();
    const eve = await signUp(server);
    const forged = { ...ann, accountKey: { ...makeKeys('ed25519'), publicKey: ann.accountKey.publicKey } };
    expect((await replaceKey(forged, makeKeys('ed25519'))).status).toBe(422);
    expect((await replaceKey({ ...ann, token: eve.token }, makeKeys('ed25519'))).status).toBe(422);
    const { body } = await server.call('GET', '/devices', { token: ann.token });
    expect(body.account_key_changes).toEqual([]);
  });
});

async function poll(bot: Bot): Promise<Frame[]> {
  const { body } = await server.call('GET', `/agents/${bot.id}/messages/poll`, { token: bot.token });
  return body.events;
}
