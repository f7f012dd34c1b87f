import { type KeyPair, readState, toBase64Url } from '@parley/e2ee';
import type { Anything } from '@parley/testkit/hostile';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Landed, loadLanded } from '../fixtures/landed/load.ts';
import { approve, connectBot, deviceOf, newClient, waitingOf, waitUntil } from './rig.ts';

// Devices, an agent and a server of the version before device lists, as they left their data. What they had must go on.

let landed: Landed;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  landed = await loadLanded();
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await landed.server.drop();
});

async function start(disk: Landed['laptop']) {
  const { client, ran } = await newClient(landed.server, { store: disk.open() });
  ends.push(() => client.close());
  await waitUntil(client.session, ({ state }) => state === 'ready');
  const device = deviceOf(client);
  await waitUntil(device.connection, (status) => status === 'online');
  return { client, device, ran };
}

async function startBot() {
  const bot = await connectBot(landed.server, landed.bot, { store: landed.bot.open() });
  ends.push(() => bot.messenger.close());
  return bot;
}

const relation = (device: Anything, relationId: string) =>
  device.relations.getSnapshot().find((one: Anything) => one.relationId === relationId);

describe('EE-18 data of the version before', () => {
  it('EE-18 EE-19 the first device makes the list, signs its grants anew, and its agent calls as before', async () => {
    const { device, ran } = await start(landed.laptop);
    const { relationId, conversationId } = landed.facts.bot;
    await waitUntil(device.devices, (devices) => devices.some(({ keeper }) => keeper));
    expect(device.devices.getSnapshot()).toMatchObject([
      { name: 'Laptop', current: true, listed: true, keeper: true },
      { name: 'Phone', current: false, listed: true, keeper: false },
    ]);
    expect(await device.devices.recoverySecret()).toMatch(/^[0-9A-Z-]{34}$/);
    await waitUntil(device.relations, () => relation(device, relationId)?.needsSignature === false);
    expect(device.relations.history(relationId).at(-1)).toMatchObject({ version: 2, conversation_id: conversationId });
    const bot = await startBot();
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    expect(ran).toHaveLength(1);
    expect(device.problems.getSnapshot()).toEqual([]);
  });

  it('EE-18 attack: the server shows a device as certified that was seen revoked before there was a list: it is not in it', async () => {
    const { identity } = readState<{ identity: KeyPair }>(landed.phone.entries.get('own/identity')!);
    const key = `pin/account/${landed.facts.ada.accountId}`;
    const pin = JSON.parse(landed.laptop.entries.get(key)!);
    const revoked = { [toBase64Url(identity.publicKey)]: new Date().toISOString() };
    await landed.laptop.open().write(new Map([[key, JSON.stringify({ ...pin, revoked })]]));
    const { device } = await start(landed.laptop);
    await waitUntil(device.devices, (devices) => devices.some(({ keeper }) => keeper));
    expect(device.devices.getSnapshot().filter(({ listed }) => listed)).toMatchObject([{ name: 'Laptop' }]);
  });

  it('EE-14 until then the others go on with certificates: a device that holds no key, and the agent', async () => {
    const bot = await startBot();
    const { device } = await start(landed.phone);
    const { conversationId, waitingForPhone } = landed.facts.bot;
    const timeline = device.conversations.timeline(conversationId);
    await waitUntil(timeline, ({ messages }) =>
      messages.some(({ payload }) => (payload as Anything).text === waitingForPhone),
    );
    await bot.send(conversationId, { type: 'text', text: 'to all of your devices' });
    await waitUntil(timeline, ({ messages }) =>
      messages.some(({ payload }) => (payload as Anything).text === 'to all of your devices'),
    );
    expect(await device.devices.isKeeper()).toBe(false);
    // Then the first device comes, and everyone follows its list.
    const laptop = await start(landed.laptop);
    await waitUntil(laptop.device.devices, (devices) => devices.some(({ keeper }) => keeper));
    await laptop.device.devices.makeKeeper(device.deviceId);
    await device.devices.refresh();
    expect(await device.devices.isKeeper()).toBe(true);
    bot.messenger.refresh({ kind: 'account', id: device.accountId });
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
  });

  it('EE-19 a relation that a plain call made is signed when the person has confirmed it', async () => {
    const { device } = await start(landed.laptop);
    const { agentId, relationId, conversationId } = landed.facts.plain;
    await waitUntil(device.relations, () => relation(device, relationId)?.needsSignature === true);
    const plain = await connectBot(landed.server, landed.plain);
    ends.push(() => plain.messenger.close());
    await device.agents.inspect({ agentId });
    await device.relations.sync();
    const scopes = relation(device, relationId).scopes.filter(({ unsigned }: Anything) => unsigned);
    await device.relations.signPending(
      relationId,
      scopes.map(({ id }: Anything) => id),
      relation(device, relationId).manifestHash,
    );
    expect(relation(device, relationId)).toMatchObject({ needsSignature: false });
    expect(await plain.call(conversationId, {})).toMatchObject({ status: 'ok' });
  });

  it('EE-20 a group of before works again when its owner has confirmed who is in it', async () => {
    const [ada, bob] = [await start(landed.laptop), await start(landed.bob)];
    const { conversationId } = landed.facts.group;
    await expect(bob.device.conversations.sendText(conversationId, 'hello')).rejects.toMatchObject({
      code: 'GROUP_UNSIGNED',
    });
    expect(await bob.device.conversations.detail(conversationId)).toMatchObject({ signed: false, mayConfirm: false });
    const shown = await ada.device.conversations.detail(conversationId);
    expect(shown).toMatchObject({ signed: false, mayConfirm: true, members: [] });
    const confirmed = await ada.device.conversations.confirmMembers(conversationId, {
      members: shown.strangers,
      title: shown.title,
    });
    expect(confirmed).toMatchObject({ signed: true, strangers: [], title: landed.facts.group.title });
    await ada.device.conversations.sendText(conversationId, 'we are back');
    await waitUntil(bob.device.conversations.timeline(conversationId), ({ messages }) =>
      messages.some(({ payload }) => (payload as Anything).text === 'we are back'),
    );
    await bob.device.conversations.sendText(landed.facts.h2h.conversationId, 'and the two of us never stopped');
    await waitUntil(ada.device.conversations.timeline(landed.facts.h2h.conversationId), ({ messages }) =>
      messages.some(({ payload }) => (payload as Anything).text === 'and the two of us never stopped'),
    );
  });

  it('EE-17 a recovery file of before lets a new device in, whether or not there is a list', async () => {
    const { email } = landed.facts.ada;
    const { secret, passphrase } = landed.facts.recovery;
    const credentials = { email, account_password: landed.facts.password };
    const first = await newClient(landed.server, { deviceName: 'Tablet' });
    ends.push(() => first.client.close());
    await first.client.login(credentials);
    await expect(first.client.recover({ secret, passphrase: 'not this one' })).rejects.toMatchObject({
      code: 'BACKUP_REFUSED',
    });
    await first.client.recover({ secret, passphrase });
    const tablet = deviceOf(first.client);
    expect(await tablet.devices.isKeeper()).toBe(true);
    await waitUntil(tablet.devices, (devices) => devices.length === 3);
    expect(tablet.devices.getSnapshot().every(({ listed }) => listed)).toBe(true);
    const second = await newClient(landed.server, { deviceName: 'Desk' });
    ends.push(() => second.client.close());
    await second.client.login(credentials);
    expect(waitingOf(second.client).code).toMatch(/^(\d{5} ){4}\d{5}$/);
    await second.client.recover({ secret, passphrase });
    expect(await deviceOf(second.client).devices.isKeeper()).toBe(true);
  });

  it('EE-16 a device of before lets a new one in, which then knows what the account knows', async () => {
    const ada = await start(landed.laptop);
    await waitUntil(ada.device.devices, (devices) => devices.some(({ keeper }) => keeper));
    const { client } = await newClient(landed.server, { deviceName: 'Tablet' });
    ends.push(() => client.close());
    await client.login({ email: landed.facts.ada.email, account_password: landed.facts.password });
    const tablet = await approve(ada as never, client);
    await tablet.relations.sync();
    expect(relation(tablet, landed.facts.bot.relationId)).toMatchObject({ needsSignature: false });
  });
});
