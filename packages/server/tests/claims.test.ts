import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notifyLastDevice } from '../src/conversations/decline-call.ts';
import { deleteDeadNodes } from '../src/presence/store.ts';
import { befriend } from './harness/contacts.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect, type TestSocket } from './harness/socket.ts';
import { addBot, addDevice, addTalker, type Bot, relate, seal, sealToolCall, type Talker } from './harness/talk.ts';

let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  one = await startTestServer({ toolCallsPerMinute: 1_000 });
  const { databaseUrl, tokenSecret } = one.config;
  two = await startTestServer({ databaseUrl, tokenSecret, toolCallsPerMinute: 1_000 });
});
afterAll(async () => {
  await two.drop();
  await one.drop();
});

interface Scene {
  readonly bot: Bot;
  readonly conversation: string;
  readonly devices: readonly [Talker, Talker, Talker];
}

/** A person with three listed devices and an agent. */
async function prepare(): Promise<Scene> {
  const ann = await addTalker(one);
  const devices = [ann, await addDevice(one, ann.id), await addDevice(one, ann.id)] as const;
  await list(...devices);
  const bot = await addBot(one, ann);
  return { bot, devices: [...devices], conversation: await relate(one, ann, bot) };
}

async function list(...devices: readonly Talker[]): Promise<void> {
  await sql`update devices set listed = true where id = any(${devices.map(({ deviceId }) => deviceId)}::uuid[])`.execute(
    one.platform.db,
  );
}

async function call({ bot, conversation }: Scene, envelope = sealToolCall(bot, conversation)): Promise<string> {
  const path = `/conversations/${conversation}/messages`;
  const { body } = await one.call('POST', path, { token: bot.token, body: envelope });
  return body.message_id;
}

type Asked = 'claim' | 'pass';
const ask = (socket: TestSocket, type: Asked, message_id: string, conversation_id: string) =>
  socket.send({ type, message_id, conversation_id });
const reply = (socket: TestSocket, type: Asked, id: string) =>
  socket.next((frame) => frame.type === `${type}.result` && frame.message_id === id);
const refusal = (socket: TestSocket, id: string) =>
  socket.next((frame) => frame.type === 'error' && frame.message_id === id);

async function asked(socket: TestSocket, type: Asked, id: string, conversation: string) {
  ask(socket, type, id, conversation);
  return reply(socket, type, id);
}

describe('CG-11 claims over the socket', () => {
  it('CG-11 of three devices on two nodes that claim at once, exactly one gets each call', async () => {
    const scene = await prepare();
    const sockets = await Promise.all(scene.devices.map((device, index) => connect(index === 0 ? two : one, device)));
    const ids = await Promise.all(Array.from({ length: 40 }, () => call(scene)));
    for (const id of ids) for (const socket of sockets) ask(socket, 'claim', id, scene.conversation);
    for (const id of ids) {
      const results = await Promise.all(sockets.map((socket) => reply(socket, 'claim', id)));
      expect(results.filter(({ claimed }) => claimed)).toHaveLength(1);
      const winner = scene.devices[results.findIndex(({ claimed }) => claimed)]!;
      for (const socket of sockets) {
        const told = await socket.next((frame) => frame.type === 'message.claimed' && frame.message_id === id);
        expect(told.device_id).toBe(winner.deviceId);
      }
    }
    await Promise.all(sockets.map((socket) => socket.end()));
  });

  it('CG-11 the device that has it is told so again; another never', async () => {
    const scene = await prepare();
    const [mine, other] = await Promise.all(scene.devices.slice(0, 2).map((device) => connect(one, device)));
    const id = await call(scene);
    for (let time = 0; time < 2; time++) {
      expect(await asked(mine!, 'claim', id, scene.conversation)).toMatchObject({ claimed: true });
      expect(await asked(other!, 'claim', id, scene.conversation)).toMatchObject({ claimed: false });
    }
    await Promise.all([mine!.end(), other!.end()]);
  });

  it.each(['claim', 'pass'] as const)(
    'CG-11 attack: a stranger, an agent and a wrong place get nothing by %s',
    async (type) => {
      const scene = await prepare();
      const elsewhere = await prepare();
      const id = await call(scene);
      const [eve, bot, ann] = await Promise.all([
        connect(one, elsewhere.devices[0]),
        connect(one, scene.bot),
        connect(one, scene.devices[0]),
      ]);
      ask(eve, type, id, scene.conversation);
      expect(await refusal(eve, id)).toMatchObject({ code: 'NOT_FOUND', conversation_id: scene.conversation });
      ask(bot, type, id, scene.conversation);
      expect(await refusal(bot, id)).toMatchObject({ code: 'FORBIDDEN' });
      ask(ann, type, id, elsewhere.conversation);
      expect(await refusal(ann, id)).toMatchObject({ code: 'NOT_FOUND' });
      const unknown = randomUUID();
      ask(ann, type, unknown, scene.conversation);
      expect(await refusal(ann, unknown)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await asked(ann, 'claim', id, scene.conversation)).toMatchObject({ claimed: true });
      await Promise.all([eve.end(), bot.end(), ann.end()]);
    },
  );

  it.each(['claim', 'pass'] as const)('CG-11 %s wants a device that has registered', async (type) => {
    const scene = await prepare();
    const id = await call(scene);
    await sql`update sessions set device_id = null where account_id = ${scene.devices[0].id}`.execute(one.platform.db);
    const { token } = scene.devices[0];
    const refused = await one.call('POST', `/messages/${id}/${type}`, { token });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'IDENTITY_MISSING']);
    expect((await one.call('POST', `/messages/${randomUUID()}/${type}`, { token })).status).toBe(404);
  });
});

describe('CG-11 passes', () => {
  it('CG-11 only the last connected device is told to answer, over two nodes', async () => {
    const scene = await prepare();
    // The third is not connected: nobody waits for it.
    const [phone, laptop] = [await connect(one, scene.devices[0]), await connect(two, scene.devices[1])];
    const id = await call(scene);
    expect(await asked(phone, 'pass', id, scene.conversation)).toMatchObject({ last: false });
    expect(await asked(laptop, 'pass', id, scene.conversation)).toMatchObject({ last: true });
    await Promise.all([phone.end(), laptop.end()]);
  });

  it('CG-11 of devices that pass at the same moment exactly one is the last', async () => {
    const scene = await prepare();
    const sockets = await Promise.all(scene.devices.map((device, index) => connect(index === 0 ? two : one, device)));
    const ids = await Promise.all(Array.from({ length: 20 }, () => call(scene)));
    for (const id of ids) for (const socket of sockets) ask(socket, 'pass', id, scene.conversation);
    for (const id of ids) {
      const results = await Promise.all(sockets.map((socket) => reply(socket, 'pass', id)));
      expect(results.filter(({ last }) => last)).toHaveLength(1);
    }
    await Promise.all(sockets.map((socket) => socket.end()));
  });

  it('CG-11 when the device that all wait for goes away, one that has passed is told', async () => {
    const scene = await prepare();
    const phone = await connect(two, scene.devices[0]);
    const laptop = await connect(one, scene.devices[1]);
    const tablet = await connect(two, scene.devices[2]);
    const [id, claimed] = [await call(scene), await call(scene)];
    for (const call of [id, claimed]) {
      expect(await asked(phone, 'pass', call, scene.conversation)).toMatchObject({ last: false });
      expect(await asked(tablet, 'pass', call, scene.conversation)).toMatchObject({ last: false });
    }
    await asked(laptop, 'claim', claimed, scene.conversation);
    await laptop.end();
    const told = await Promise.race([phone.next('pass.last'), tablet.next('pass.last')]);
    expect(told).toEqual({ type: 'pass.last', message_id: id, conversation_id: scene.conversation });
    const all = [...phone.frames, ...tablet.frames].filter(({ type }) => type === 'pass.last');
    expect(all).toHaveLength(1);
    await Promise.all([phone.end(), tablet.end()]);
  });

  it('CG-11 a second socket of the device keeps it there', async () => {
    const scene = await prepare();
    const [tab, otherTab] = [await connect(one, scene.devices[0]), await connect(one, scene.devices[0])];
    const laptop = await connect(one, scene.devices[1]);
    await tab.end();
    const id = await call(scene);
    expect(await asked(laptop, 'pass', id, scene.conversation)).toMatchObject({ last: false });
    await otherTab.end();
    expect(await laptop.next('pass.last')).toMatchObject({ message_id: id });
    await laptop.end();
  });

  it('CG-11 nobody waits for a device that is not listed, or that came after the call', async () => {
    const scene = await prepare();
    const waiting = await addDevice(one, scene.devices[0].id);
    const pending = await connect(one, waiting);
    const laptop = await connect(one, scene.devices[1]);
    const id = await call(scene);
    const late = await addDevice(one, scene.devices[0].id);
    await list(late);
    const phone = await connect(one, late);
    expect(await asked(laptop, 'pass', id, scene.conversation)).toMatchObject({ last: true });
    await Promise.all([pending.end(), laptop.end(), phone.end()]);
  });

  it('CG-11 a call that is claimed, or no call, cannot be passed', async () => {
    const scene = await prepare();
    const [phone, laptop] = await Promise.all(scene.devices.slice(0, 2).map((device) => connect(one, device)));
    const [id, text] = [await call(scene), await call(scene, seal(scene.bot, scene.conversation))];
    await asked(phone!, 'claim', id, scene.conversation);
    ask(laptop!, 'pass', id, scene.conversation);
    expect(await refusal(laptop!, id)).toMatchObject({ code: 'ALREADY_CLAIMED' });
    ask(laptop!, 'pass', text, scene.conversation);
    expect(await refusal(laptop!, text)).toMatchObject({ code: 'NOT_A_TOOL_CALL' });
    await Promise.all([phone!.end(), laptop!.end()]);
  });

  it('CG-11 without a socket: the same over HTTP', async () => {
    const scene = await prepare();
    const phone = await connect(one, scene.devices[0]);
    const id = await call(scene);
    const pass = () => one.call('POST', `/messages/${id}/pass`, { token: scene.devices[1].token });
    expect((await pass()).body).toEqual({ message_id: id, last: false });
    await asked(phone, 'pass', id, scene.conversation);
    expect((await pass()).body).toEqual({ message_id: id, last: true });
    await phone.end();
  });

  it('CG-11 attack: the passes of one person say nothing about the devices of another in the group', async () => {
    const [ann, bob] = [await addTalker(one), await addTalker(one)];
    await befriend(one, ann.id, bob.id);
    await list(ann, bob);
    const bot = await addBot(one, ann, { groups: true });
    const members = [bot.sender, bob.sender].map(({ kind, id }) => ({ kind, id }));
    await relate(one, ann, bot);
    await relate(one, bob, bot);
    const group = await one.call('POST', '/conversations', {
      token: ann.token,
      body: { kind: 'group', title: 'g', members },
    });
    expect(group.status).toBe(201);
    const conversation: string = group.body.conversation_id;
    const sockets = [await connect(one, ann), await connect(one, bob)] as const;
    const id = await call({ bot, conversation, devices: [ann, ann, ann] });
    expect(await asked(sockets[0], 'pass', id, conversation)).toMatchObject({ last: true });
    expect(await asked(sockets[1], 'pass', id, conversation)).toMatchObject({ last: true });
    await Promise.all(sockets.map((socket) => socket.end()));
  });

  it('CG-11 a node that died takes its devices with it, and those who waited are told', async () => {
    const scene = await prepare();
    const laptop = await connect(one, scene.devices[1]);
    const { db } = one.platform;
    const node = randomUUID();
    await sql`insert into socket_nodes (id, seen_at) values (${node}, now())`.execute(db);
    await sql`insert into connected_devices values (${scene.devices[0].deviceId}, ${node}, ${scene.devices[0].id})`.execute(
      db,
    );
    const id = await call(scene);
    expect(await asked(laptop, 'pass', id, scene.conversation)).toMatchObject({ last: false });
    expect(await deleteDeadNodes(db)).toEqual([]);
    await sql`update socket_nodes set seen_at = now() - interval '61 seconds' where id = ${node}`.execute(db);
    await notifyLastDevice(one.platform, await deleteDeadNodes(db));
    expect(await laptop.next('pass.last')).toMatchObject({ message_id: id });
    await laptop.end();
  });

  it('CG-11 a server that stops leaves no devices behind', async () => {
    const scene = await prepare();
    const { databaseUrl, tokenSecret } = one.config;
    const third = await startTestServer({ databaseUrl, tokenSecret });
    const socket = await connect(third, scene.devices[0]);
    const present = () =>
      sql<{
        n: number;
      }>`select count(*)::int as n from connected_devices where account_id = ${scene.devices[0].id}`.execute(
        one.platform.db,
      );
    expect((await present()).rows).toEqual([{ n: 1 }]);
    await third.close();
    await socket.closed;
    expect((await present()).rows).toEqual([{ n: 0 }]);
  });
});
