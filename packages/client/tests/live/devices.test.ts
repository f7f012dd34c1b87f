import type { Platform } from '@parley/messenger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addAgent,
  approve,
  createDisk,
  deviceOf,
  Hands,
  makeExecutors,
  newClient,
  nextPrompt,
  type Ran,
  waitingOf,
  waitUntil,
} from './rig.ts';
import { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());

describe('EE-16 devices', () => {
  it('EE-16 the first device begins the list; the next waits until its code is typed on a keeper', async () => {
    const person = await world.person();
    const { client } = await world.secondDevice(person);
    const { deviceId } = waitingOf(client);
    await waitUntil(person.device.devices, (devices) => devices.length === 2);
    expect(person.device.devices.getSnapshot()).toMatchObject([
      { name: 'Laptop', current: true, listed: true, keeper: true },
      { name: 'Phone', current: false, listed: false, keeper: false },
    ]);
    await expect(person.device.devices.approve(deviceId, '00000 00000 00000 00000 00000')).rejects.toMatchObject({
      code: 'DEVICE_CODE',
    });
    await client.checkApproval();
    expect(client.session.getSnapshot().state).toBe('waiting');
    const device = await approve(person, client);
    expect(device.deviceId).toBe(deviceId);
    expect(await person.device.devices.isKeeper()).toBe(true);
    expect(await device.devices.isKeeper()).toBe(false);
    await expect(device.devices.rotateKey()).rejects.toMatchObject({ code: 'ACCOUNT_KEY_MISSING' });
  });

  it('EE-16 a device that asks twice at once whether it was let in opens its keys once', async () => {
    const person = await world.person();
    const hands = new Hands();
    let sockets = 0;
    const openSocket: Platform['openSocket'] = (url) => {
      sockets++;
      return hands.platform.openSocket(url);
    };
    const { client } = await world.secondDevice(person, { hands, platform: { ...hands.platform, openSocket } });
    const { deviceId, code } = waitingOf(client);
    await person.device.devices.approve(deviceId, code);
    await Promise.all([client.checkApproval(), client.checkApproval()]);
    await waitUntil(deviceOf(client).connection, (status) => status === 'online');
    expect(sockets).toBe(1);
  });

  it('EE-16 the code of one waiting device lets no other in', async () => {
    const person = await world.person();
    const { client } = await world.secondDevice(person);
    const { client: other } = await world.secondDevice(person);
    const first = waitingOf(client);
    const second = waitingOf(other);
    expect(first.code).not.toBe(second.code);
    await expect(person.device.devices.approve(first.deviceId, second.code)).rejects.toMatchObject({
      code: 'DEVICE_CODE',
    });
  });

  it('EE-18 a revoked device is signed out at once, and does not come back with its keys', async () => {
    const person = await world.person();
    const { client } = await world.secondDevice(person);
    const device = await approve(person, client);
    await person.device.devices.revoke(device.deviceId);
    await waitUntil(client.session, ({ state }) => state === 'signed_out');
    await waitUntil(person.device.devices, (devices) => devices.length === 1);
    expect(person.device.devices.getSnapshot()[0]).toMatchObject({ current: true });
    await expect(client.login(person.credentials)).rejects.toMatchObject({ code: 'DEVICE_REVOKED' });
  });
});

describe('WC-4 a removed device that comes back', () => {
  it('WC-4 EE-18 attack: of the removed device nothing is left that could sign or claim anything; it is a new one, with its messages', async () => {
    const person = await world.person();
    const disk = createDisk();
    const { client } = await world.secondDevice(person, { store: disk.open() });
    const device = await approve(person, client);
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await waitUntil(device.conversations.list, (list) => list.some((one) => one.conversationId === conversationId));
    await device.conversations.sendText(conversationId, 'From the phone');
    await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'once' } });
    const identity = disk.entries.get('own/identity');
    await person.device.devices.revoke(device.deviceId);
    await waitUntil(client.session, ({ state }) => state === 'signed_out');
    expect(client.session.getSnapshot()).toMatchObject({ reason: 'revoked' });

    await expect(client.login(person.credentials)).rejects.toMatchObject({ code: 'DEVICE_REVOKED' });
    expect(client.session.getSnapshot()).toMatchObject({ state: 'revoked', signed: true });
    await client.renew();
    expect(waitingOf(client).deviceId).not.toBe(device.deviceId);
    expect(disk.entries.get('own/identity')).not.toBe(identity);
    const kept =
      /^(client\/(message|conversation|call|call-sent|session|device$|pairing-code$|synced$)|own\/identity$)/;
    expect([...disk.entries.keys()].filter((key) => !kept.test(key))).toEqual([]);

    const again = await approve(person, client);
    const timeline = again.conversations.timeline(conversationId);
    await waitUntil(timeline, ({ messages }) =>
      messages.some((one) => JSON.stringify(one.payload).includes('From the phone')),
    );
    await again.conversations.sendText(conversationId, 'Here again');
  });

  it('WC-4 a sign-in that failed halfway does not stand in the way of the next', async () => {
    const person = await world.person();
    const { client } = await newClient(world.server, { deviceName: 'Phone' });
    await world.server.editDatabase("alter table devices add constraint refused check (name <> 'Phone') not valid");
    await expect(client.login(person.credentials)).rejects.toMatchObject({ code: 'INTERNAL' });
    await world.server.editDatabase('alter table devices drop constraint refused');
    await client.login(person.credentials);
    expect(client.session.getSnapshot().state).toBe('waiting');
  });
});

describe('CG-11 two devices', () => {
  it('CG-11 exactly one of two devices executes a low call', async () => {
    const person = await world.person();
    const phone = await world.secondDevice(person);
    await approve(person, phone.client);
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    for (let n = 0; n < 5; n++) {
      const answer = await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: `${n}` } });
      expect(answer).toMatchObject({ status: 'ok', result: { said: `${n}` } });
    }
    expect(person.ran.length + phone.ran.length).toBe(5);
    const responses = bot.received.filter(({ msgSubtype }) => msgSubtype === 'artifact_response');
    expect(responses).toHaveLength(5);
  });

  it('CG-11 both ask; the answer on one closes the prompt of the other, which learns what came of it', async () => {
    const person = await world.person();
    const phone = await world.secondDevice(person);
    const device = await approve(person, phone.client);
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    const answer = bot.call(conversationId, { tool_name: 'say_high' });
    const [here, there] = await Promise.all([nextPrompt(person.device), nextPrompt(device)]);
    expect(here.callId).toBe(there.callId);
    there.allow();
    expect(await answer).toMatchObject({ status: 'ok' });
    await waitUntil(person.device.prompts, (prompts) => prompts.length === 0);
    expect([person.ran.length, phone.ran.length]).toEqual([0, 1]);
    const timeline = person.device.conversations.timeline(conversationId);
    const { messages } = await waitUntil(timeline, ({ messages }) =>
      messages.some(({ call }) => call?.state === 'answered'),
    );
    expect(messages.find(({ call }) => call)?.call).toMatchObject({ state: 'answered', response: { status: 'ok' } });
    expect(await person.device.audit.list()).toEqual([]);
  });

  it('CG-11 a device without the executor passes to the one that has it', async () => {
    const person = await world.person({ executors: [] });
    const ran: Ran[] = [];
    const phone = await world.secondDevice(person, { executors: makeExecutors(ran) });
    await approve(person, phone.client);
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
    expect(ran).toHaveLength(1);
  });

  it('CG-11 two devices without the executor: one answer, TOOL_UNAVAILABLE', async () => {
    const person = await world.person({ executors: [] });
    const phone = await world.secondDevice(person, { executors: [] });
    await approve(person, phone.client);
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    const answer = await bot.call(conversationId, { tool_name: 'say_low' });
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_UNAVAILABLE' });
    await bot.call(conversationId, { tool_name: 'say_low' });
    expect(bot.received).toHaveLength(2);
  });

  it('RL-10 what one device grants or takes back counts on the other', async () => {
    const person = await world.person();
    const phone = await world.secondDevice(person);
    const device = await approve(person, phone.client);
    const bot = await world.bot();
    const { relationId } = await addAgent(person.device, bot.agentId);
    const granted = (count: number) =>
      waitUntil(device.relations, ([one]) => one?.scopes.filter((scope) => scope.granted).length === count);
    await granted(3);
    await person.device.relations.revokeScope(relationId, 'note:high');
    const [view] = await granted(2);
    expect(view!.scopes.filter(({ granted }) => granted).map(({ id }) => id)).toEqual(['note:low', 'note:medium']);
    await device.relations.revokeScope(relationId, 'note:low');
    await waitUntil(person.device.relations, ([one]) => one!.scopes.filter((scope) => scope.granted).length === 1);
    expect(person.device.relations.history(relationId)).toHaveLength(3);
  });
});

describe('TR-9 the session', () => {
  it('TR-9 a program that starts again goes on as the same device, with what it kept', async () => {
    const disk = createDisk();
    const person = await world.person({ store: disk.open() });
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await bot.send(conversationId, { type: 'text', text: 'remember me' });
    await waitUntil(person.device.conversations.timeline(conversationId), ({ messages }) => messages.length === 1);
    await person.client.close();
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    const device = deviceOf(again.client);
    expect(device.deviceId).toBe(person.device.deviceId);
    const { messages } = await waitUntil(device.conversations.timeline(conversationId), ({ loaded }) => loaded);
    expect(messages).toMatchObject([{ payload: { text: 'remember me' } }]);
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  });

  it('TR-9 signing out and in again finds the device; another account is refused; forgetting removes everything', async () => {
    const disk = createDisk();
    const person = await world.person({ store: disk.open() });
    const { deviceId } = person.device;
    await person.client.logout();
    expect(person.client.session.getSnapshot().state).toBe('signed_out');
    const stranger = await world.person();
    await expect(person.client.login(stranger.credentials)).rejects.toMatchObject({ code: 'OTHER_ACCOUNT' });
    await person.client.login(person.credentials);
    expect(deviceOf(person.client).deviceId).toBe(deviceId);
    await person.client.forget();
    expect(disk.entries.size).toBe(0);
    await person.client.login(stranger.credentials);
    expect(person.client.session.getSnapshot().state).toBe('waiting');
  });

  it('TR-9 a program that starts without a network shows what it has, and goes on when there is one', async () => {
    const disk = createDisk();
    const person = await world.person({ store: disk.open() });
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await person.client.close();
    const hands = new Hands();
    let offline = true;
    const { fetch, openSocket } = hands.platform;
    const platform = {
      ...hands.platform,
      fetch: ((...request) =>
        offline ? Promise.reject(new TypeError('no network')) : fetch(...request)) as typeof fetch,
      openSocket: (url: string) => openSocket(offline ? 'ws://127.0.0.1:1' : url),
    };
    const again = await newClient(world.server, { store: disk.open(), platform, ran: person.ran });
    world.atEnd(() => again.client.close());
    const device = deviceOf(again.client);
    expect(device.relations.getSnapshot()).toMatchObject([{ agentName: 'Bot', status: 'active' }]);
    await waitUntil(device.connection, (status) => status === 'offline');
    offline = false;
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  });

  it('TR-9 a device that waits still waits after a restart, with the same code', async () => {
    const person = await world.person();
    const disk = createDisk();
    const phone = await world.secondDevice(person, { store: disk.open() });
    const before = waitingOf(phone.client);
    await phone.client.close();
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    expect(waitingOf(again.client)).toEqual(before);
    await approve(person, again.client);
    expect(deviceOf(again.client).deviceId).toBe(before.deviceId);
  });
});
