import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Device } from '../../src/device.ts';
import { addAgent, approve, createDisk, deviceOf, newClient, type Person, waitingOf, waitUntil } from './rig.ts';
import { World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.end());

/** A second device that keeps the account key, too. */
async function withKeeper(person: Person) {
  const { client } = await world.secondDevice(person);
  const { deviceId, code } = waitingOf(client);
  await person.device.devices.approve(deviceId, code, { keeper: true });
  await client.checkApproval();
  await waitUntil(client.session, ({ state }) => state === 'ready');
  const device = deviceOf(client);
  await waitUntil(device.connection, (status) => status === 'online');
  return { client, device };
}

const secretOf = async (device: Device) => (await device.devices.recoverySecret())!;
const keyOf = (person: Person) => person.device.identities.safetyNumber;

describe('EE-17 keepers', () => {
  it('EE-17 a keeper lets others in, revokes the first device, and the account goes on', async () => {
    const person = await world.person();
    const { device: phone } = await withKeeper(person);
    expect(await phone.devices.isKeeper()).toBe(true);
    await phone.devices.revoke(person.device.deviceId);
    await waitUntil(person.client.session, ({ state }) => state === 'signed_out');
    expect(await phone.devices.isKeeper()).toBe(true);
    const { client: third } = await world.secondDevice(person, { deviceName: 'Tablet' });
    const { deviceId, code } = waitingOf(third);
    await phone.devices.approve(deviceId, code);
    await third.checkApproval();
    expect(third.session.getSnapshot().state).toBe('ready');
  });

  it('EE-17 a device becomes a keeper later, and the first may go', async () => {
    const person = await world.person();
    const { client } = await world.secondDevice(person);
    const phone = await approve(person, client);
    await person.device.devices.makeKeeper(phone.deviceId);
    await phone.devices.refresh();
    expect(await phone.devices.isKeeper()).toBe(true);
    await person.client.forget();
    await phone.devices.refresh();
    expect(phone.devices.getSnapshot()).toMatchObject([{ deviceId: phone.deviceId, keeper: true }]);
    expect(await phone.devices.isKeeper()).toBe(true);
  });

  it('EE-17 the account key is replaced at will: agents follow, keepers keep it, and a verified person stays verified', async () => {
    const person = await world.person();
    const bot = await world.bot();
    const { conversationId } = await addAgent(person.device, bot.agentId);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    const party = { kind: 'agent' as const, id: bot.agentId };
    const before = await keyOf(person)(party);
    await bot.messenger.trust.markVerified({ kind: 'account', id: person.device.accountId });
    const { device: phone } = await withKeeper(person);
    await person.device.devices.rotateKey();
    expect(await keyOf(person)(party)).not.toBe(before);
    bot.messenger.refresh({ kind: 'account', id: person.device.accountId });
    expect(await bot.messenger.trust.account(person.device.accountId)).toMatchObject({ ok: true, verified: true });
    expect(await bot.messenger.trust.safetyNumber({ kind: 'account', id: person.device.accountId })).toBe(
      await keyOf(person)(party),
    );
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    await phone.devices.refresh();
    expect(await phone.devices.isKeeper()).toBe(true);
    await phone.devices.rotateKey();
    await person.device.devices.refresh();
    expect(await person.device.devices.isKeeper()).toBe(true);
  });

  it('EE-18 a device that keeps no key shuts another out at the server; a keeper makes it final', async () => {
    const person = await world.person();
    const { client } = await world.secondDevice(person);
    const phone = await approve(person, client);
    const { client: tablet } = await world.secondDevice(person, { deviceName: 'Tablet' });
    const { deviceId } = await approve(person, tablet);
    await phone.devices.revoke(deviceId);
    await waitUntil(tablet.session, ({ state }) => state === 'signed_out');
    await person.device.devices.refresh();
    expect(person.device.devices.getSnapshot().find((one) => one.deviceId === deviceId)).toMatchObject({
      cutOff: true,
    });
    await person.device.devices.revoke(deviceId);
    expect(person.device.devices.getSnapshot().some((one) => one.deviceId === deviceId)).toBe(false);
  });
});

describe('EE-17 the recovery secret', () => {
  it('EE-17 is shown by the device that made it until it is saved, and by no other', async () => {
    const disk = createDisk();
    const person = await world.person({ store: disk.open() });
    const secret = await secretOf(person.device);
    expect(secret).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
    const { device: phone } = await withKeeper(person);
    expect(await phone.devices.recoverySecret()).toBeUndefined();
    await person.device.devices.confirmRecoverySaved();
    expect(await person.device.devices.recoverySecret()).toBeUndefined();
    expect([...disk.entries.values()].some((text) => text.includes(secret))).toBe(false);
  });

  it('EE-17 lets a new device in when all others are lost: they are out, and what they granted is asked about again', async () => {
    const person = await world.person();
    const bot = await world.bot();
    const { conversationId, relationId } = await addAgent(person.device, bot.agentId, ['note:low', 'note:high']);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    const secret = await secretOf(person.device);
    const { client, ran } = await world.secondDevice(person);
    await expect(client.recover({ secret: 'not a secret' })).rejects.toMatchObject({ code: 'RECOVERY_SECRET' });
    const stranger = await world.person();
    await expect(client.recover({ secret: await secretOf(stranger.device) })).rejects.toMatchObject({
      code: 'ACCOUNT_KEY_WRONG',
    });
    expect(client.session.getSnapshot().state).toBe('waiting');
    await client.recover({ secret: secret.toLowerCase().replaceAll('-', ' ') });
    const device = deviceOf(client);
    await waitUntil(person.client.session, ({ state }) => state === 'signed_out');
    expect(await device.devices.isKeeper()).toBe(true);
    await waitUntil(device.devices, (devices) => devices.length === 1);
    expect(device.devices.getSnapshot()).toMatchObject([{ current: true, listed: true, waiting: false }]);
    await waitUntil(device.relations, (all) => all.some((one) => one.relationId === relationId));
    const view = () => device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
    expect(view()).toMatchObject({ needsSignature: true });
    expect(view().scopes.some(({ granted }) => granted)).toBe(false);
    bot.messenger.refresh({ kind: 'account', id: device.accountId });
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'denied' });
    await device.relations.signPending(relationId, ['note:low', 'note:high'], view().manifestHash);
    expect(view()).toMatchObject({ needsSignature: false });
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    expect(ran).toHaveLength(1);
  });
});

describe('EE-17 groups after a recovery', () => {
  it('EE-17 go on with the members they began with; whom a lost device let in later is let in again', async () => {
    const person = await world.person();
    const [bob, cleo] = [await world.person(), await world.person()];
    const group = await person.device.conversations.startGroup('Family', [{ kind: 'human', id: bob.device.accountId }]);
    await person.device.conversations.addMember(group, { kind: 'human', id: cleo.device.accountId });
    const secret = await secretOf(person.device);
    const { client } = await world.secondDevice(person);
    await client.recover({ secret });
    const device = deviceOf(client);
    const detail = await device.conversations.detail(group);
    expect(detail.members.map(({ id }) => id).sort()).toEqual([device.accountId, bob.device.accountId].sort());
    expect(detail.strangers).toMatchObject([{ id: cleo.device.accountId }]);
    await device.conversations.sendText(group, 'I am back');
    await waitUntil(bob.device.conversations.timeline(group), ({ messages }) =>
      messages.some(({ payload }) => payload.type === 'text' && payload.text === 'I am back'),
    );
    await device.conversations.addMember(group, { kind: 'human', id: cleo.device.accountId });
    expect((await device.conversations.detail(group)).strangers).toEqual([]);
  });
});

describe('EE-16 an account without a device', () => {
  it('EE-16 is begun here only when the person says that it is the first one', async () => {
    const credentials = { email: 'first@example.org', account_password: 'correct horse battery' };
    await world.server.call('POST', '/auth/register', { body: { ...credentials, display_name: 'Ada' } });
    const { client } = await newClient(world.server);
    world.atEnd(() => client.close());
    await client.login(credentials);
    expect(client.session.getSnapshot()).toMatchObject({ state: 'unfounded' });
    const { client: other } = await newClient(world.server);
    world.atEnd(() => other.close());
    await other.login(credentials);
    await client.found();
    expect(await deviceOf(client).devices.isKeeper()).toBe(true);
    // Both had been told that there is none: the second one waits like any other.
    await other.found();
    const { deviceId, code } = waitingOf(other);
    await deviceOf(client).devices.approve(deviceId, code);
    await other.checkApproval();
    expect(other.session.getSnapshot().state).toBe('ready');
  });

  it('EE-16 a registration that was cut off goes on with the keys that were prepared', async () => {
    const disk = createDisk();
    let cuts = 1;
    const person = await newClient(world.server, { store: disk.open() });
    const { platform } = person.hands;
    const cutting = {
      ...platform,
      fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
        const reply = await platform.fetch(input, init);
        // The server has the device; its answer is lost.
        if (String(input).endsWith('/devices') && init?.method === 'POST' && cuts-- > 0) throw new TypeError('cut');
        return reply;
      }) as typeof fetch,
    };
    await person.client.close();
    const first = await newClient(world.server, { store: disk.open(), platform: cutting });
    const account = { email: 'cut@example.org', account_password: 'correct horse battery', display_name: 'Ada' };
    await expect(first.client.register(account)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await first.client.close();
    const again = await newClient(world.server, { store: disk.open() });
    world.atEnd(() => again.client.close());
    await waitUntil(again.client.session, ({ state }) => state === 'ready');
    expect(await deviceOf(again.client).devices.isKeeper()).toBe(true);
  });
});

describe('EE-16 letting a device in', () => {
  it('EE-16 goes on where it was cut off: a device that is listed and was not told so is told when its code is typed again', async () => {
    const person = await newClient(world.server);
    const { platform } = person.hands;
    let cuts = 1;
    const cutting = {
      ...platform,
      fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
        if (String(input).endsWith('/welcome') && cuts-- > 0) throw new TypeError('cut');
        return platform.fetch(input, init);
      }) as typeof fetch,
    };
    await person.client.close();
    const ada = await world.person({ platform: cutting });
    const { client } = await world.secondDevice(ada);
    const { deviceId, code } = waitingOf(client);
    await expect(ada.device.devices.approve(deviceId, code)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    await ada.device.devices.refresh();
    const phone = () => ada.device.devices.getSnapshot().find((one) => one.deviceId === deviceId);
    expect(phone()).toMatchObject({ listed: true, waiting: true });
    await ada.device.devices.approve(deviceId, code);
    expect(phone()).toMatchObject({ listed: true, waiting: false });
    await client.checkApproval();
    expect(client.session.getSnapshot().state).toBe('ready');
  });
});
