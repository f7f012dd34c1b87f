import { deviceStatementHash } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deviceBody, signInAgain, signUpWithDevice } from './harness/accounts.ts';
import { befriend } from './harness/contacts.ts';
import { addition, keyBox, nextStatement, revocation, rotation, type TestDevice } from './harness/device-list.ts';
import { makeDeviceKeys, makeKeys } from './harness/keys.ts';
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
/** Appends the next statement of her list. */
async function append({ list, token }: Person, content: Parameters<typeof nextStatement>[1]): Promise<void> {
  const statement = nextStatement(list, content);
  const { status, body } = await server.call('POST', '/devices/list', { token, body: { statement } });
  expect([status, body]).toEqual([201, { length: list.statements.length + 1, head: deviceStatementHash(statement) }]);
  list.statements.push(statement);
}
/** A device of hers that waits to be let in. */
async function wait(person: Person): Promise<TestDevice> {
  const { token } = await signInAgain(server, person);
  const keys = makeDeviceKeys();
  const { body } = await server.call('POST', '/devices', { token, body: deviceBody(keys) });
  return { id: body.device_id, keys };
}

/** Ann, an agent and a friend of hers, and someone she has nothing to do with. */
async function prepare() {
  const ann = await signUpWithDevice(server);
  const [bob, eve] = [await addTalker(server), await addTalker(server)];
  await befriend(server, ann.id, bob.id);
  const bot = await addBot(server, bob);
  const other = await addBot(server, bob);
  await relate(server, asTalker(ann), bot);
  const body = { kind: 'h2h', members: [{ kind: 'human', id: bob.id }] };
  await server.call('POST', '/conversations', { token: ann.token, body });
  return { ann, bob, eve, bot, other };
}

describe('EE-18 whoever seals for someone hears of their devices', () => {
  it('EE-18 added, made a keeper, rotated, revoked: contacts are told, people and agents, and nobody else', async () => {
    const { ann, bob, eve, bot, other } = await prepare();
    const expected = { account_id: ann.id };
    const second = await wait(ann);
    // One that waits to be let in changes nothing for others.
    expect(await eventsOf(bot.id)).toEqual([]);
    const next = makeKeys('ed25519');
    const steps = [
      () => append(ann, addition(second)),
      () => append(ann, { action: 'keep', box: keyBox(second.id) }),
      () => append(ann, { ...revocation(second.id), rotation: rotation(next) }),
      () =>
        append(
          { ...ann, list: { ...ann.list, accountKey: next } },
          { action: 'rotate', rotation: rotation(makeKeys('ed25519')) },
        ),
      () => server.call('DELETE', `/devices/${ann.deviceId}`, { token: ann.token }),
    ];
    for (const [index, step] of steps.entries()) {
      await step();
      for (const { id } of [bot, bob]) expect(await eventsOf(id)).toEqual(Array(index + 1).fill(expected));
    }
    // Her own devices, too: also of the first statement.
    expect(await eventsOf(ann.id)).toEqual(Array(steps.length + 1).fill(expected));
    for (const { id } of [eve, other]) expect(await eventsOf(id)).toEqual([]);
  });

  it('EE-18 over a socket at once, by polling, and by webhook', async () => {
    const { ann, bob, bot } = await prepare();
    const hook = await startReceiver();
    const hooked = await addBot(server, bob, { mode: 'webhook' });
    await relate(server, asTalker(ann), hooked);
    const put = await server.call('PUT', `/agents/${hooked.id}/webhook`, { token: bob.token, body: { url: hook.url } });
    expect(put.status).toBe(200);
    const sockets = [await connect(server, bot), await connect(server, bob)];
    await append(ann, addition(await wait(ann)));
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

  it('EE-16 her own devices hear of one that waits, was let in, was welcomed and was revoked', async () => {
    const ann = await signUpWithDevice(server);
    const second = await wait(ann);
    await append(ann, addition(second));
    const path = `/devices/${second.id}`;
    const body = { welcome: 'c2VhbGVk' };
    expect((await server.call('PUT', `${path}/welcome`, { token: ann.token, body })).status).toBe(204);
    await append(ann, revocation(second.id));
    const rows = await server.platform.db
      .selectFrom('events')
      .select('payload')
      .where('recipient_id', '=', ann.id)
      .where('type', '=', 'device.changed')
      .orderBy('id')
      .execute();
    const changes = rows.map(({ payload }) => payload).filter(({ device_id }) => device_id === second.id);
    expect(changes.map(({ change }) => change)).toEqual(['added', 'certified', 'certified', 'revoked']);
  });
});

async function poll(bot: Bot): Promise<Frame[]> {
  const { body } = await server.call('GET', `/agents/${bot.id}/messages/poll`, { token: bot.token });
  return body.events;
}
