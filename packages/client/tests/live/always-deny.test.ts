import { accountDenials } from '@parley/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Device } from '../../src/device.ts';
import { Scene } from './attacks/scene.ts';
import { addAgent, approve, createDisk, deviceOf, newClient, nextPrompt, waitingOf, waitUntil } from './rig.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

/** A laptop and a phone, at a server that may be told to lie to it, of one person who has added an agent. */
async function begin() {
  const laptop = await scene.world.person();
  const bot = await scene.world.bot();
  const { conversationId } = await addAgent(laptop.device, bot.agentId);
  const disk = createDisk();
  const server = { ...scene.world.server, url: scene.evil.url };
  const { client } = await newClient(server, { deviceName: 'Phone', store: disk.open() });
  scene.world.atEnd(() => client.close());
  await client.login(laptop.credentials);
  const phone = await approve(laptop, client);
  await waitUntil(phone.relations, (all) => all.some((one) => one.agentId === bot.agentId));
  return { laptop, phone, client, disk, server, bot, conversationId };
}

const denials = (device: Device) => device.remembered.getSnapshot().denials;
const denied = (device: Device, count: number) =>
  waitUntil(device.remembered, (remembered) => remembered.denials.length === count);
const confirmed = (device: Device) =>
  waitUntil(device.remembered, ({ denials: [one] }) => one?.unconfirmed.length === 0);

type Begun = Awaited<ReturnType<typeof begin>>;

async function denyAlways({ bot, conversationId }: Begun, device: Device): Promise<void> {
  const answer = bot.call(conversationId, { tool_name: 'say_high' });
  (await nextPrompt(device)).alwaysDeny();
  expect(await answer).toMatchObject({ status: 'denied', reason: 'user_refused' });
}

const HIGH = { tool_name: 'say_high' } as const;

describe('CG-6 "always deny" on every device of the account', () => {
  it('CG-6 said on one device, it is listed and kept on the other; lifted there, it is gone on the first', async () => {
    const all = await begin();
    const { laptop, phone, bot, conversationId } = all;
    await denyAlways(all, laptop.device);
    await denied(phone, 1);
    expect(denials(phone)).toMatchObject([{ agentId: bot.agentId, agentName: 'Bot', toolName: 'say_high' }]);
    await confirmed(laptop.device);
    await laptop.client.close();
    expect(await bot.call(conversationId, HIGH)).toMatchObject({ reason: 'user_refused' });
    expect(phone.prompts.getSnapshot()).toEqual([]);

    await phone.remembered.removeDenial(denials(phone)[0]!);
    const answer = bot.call(conversationId, HIGH);
    (await nextPrompt(phone)).allow();
    expect(await answer).toMatchObject({ status: 'ok' });
  });

  it('CG-6 lifted on the other device, it is gone on the one that said it; undone, it is there again on both', async () => {
    const all = await begin();
    const { laptop, phone } = all;
    await denyAlways(all, laptop.device);
    await denied(phone, 1);
    const undo = await phone.remembered.removeDenial(denials(phone)[0]!);
    await denied(laptop.device, 0);
    await undo();
    await denied(laptop.device, 1);
    await denied(phone, 1);
  });

  it('CG-6 said offline, it counts here at once, and there when both are back; a device let in later learns it', async () => {
    const all = await begin();
    const { laptop, phone, client, disk, server, bot, conversationId } = all;
    await client.close();
    await denyAlways(all, laptop.device);
    expect(denials(laptop.device)).toMatchObject([{ unconfirmed: [{ deviceId: phone.deviceId, name: 'Phone' }] }]);
    const again = await newClient(server, { store: disk.open() });
    scene.world.atEnd(() => again.client.close());
    await denied(deviceOf(again.client), 1);
    await confirmed(laptop.device);

    const tablet = await scene.world.secondDevice(laptop);
    waitingOf(tablet.client);
    const third = await approve(laptop, tablet.client);
    await denied(third, 1);
    await Promise.all([laptop.client.close(), again.client.close()]);
    expect(await bot.call(conversationId, HIGH)).toMatchObject({ reason: 'user_refused' });
  });

  it('EE-23 attack: the server keeps it from the other device: that one still asks, and this one says that it does', async () => {
    const all = await begin();
    const { laptop, phone, bot, conversationId } = all;
    const { accountId } = laptop.device;
    scene.evil.deliver('message.new', (frame) => (frame.conversation_id === accountId ? undefined : frame));
    await denyAlways(all, laptop.device);
    expect(denials(laptop.device)).toMatchObject([{ unconfirmed: [{ deviceId: phone.deviceId, name: 'Phone' }] }]);
    const answer = bot.call(conversationId, HIGH);
    // Nothing runs unasked: the phone says of itself what is so.
    const prompt = await nextPrompt(phone);
    expect(denials(phone)).toEqual([]);
    prompt.deny();
    // The laptop refuses by itself, and is faster than a person.
    expect(await answer).toMatchObject({ status: 'denied' });
    expect(denials(laptop.device)).toMatchObject([{ unconfirmed: [{ deviceId: phone.deviceId }] }]);
  });

  it('EE-18 attack: a device that was revoked cannot lift it', async () => {
    const all = await begin();
    const { laptop, phone, disk, bot, conversationId } = all;
    const tablet = await scene.world.secondDevice(laptop);
    const third = await approve(laptop, tablet.client);
    await denyAlways(all, laptop.device);
    await denied(phone, 1);
    await denied(third, 1);
    const [[, known]] = (await disk.open().list('client/denial/')) as [[string, string]];
    await laptop.device.devices.revoke(phone.deviceId);
    await waitUntil(all.client.session, ({ state }) => state === 'signed_out');
    await phone.remembered.removeDenial({ agentId: bot.agentId, toolName: 'say_high' }).catch(() => {});
    // Nor can the agent, or another account, in whatever conversation.
    const { id } = JSON.parse(known) as { id: string };
    const lie = accountDenials([{ agent_id: bot.agentId, tool_name: 'say_high', id, state: 'lifted', at: Date.now() }]);
    await bot.send(conversationId, lie);
    const eve = await scene.world.person();
    await expect(eve.device.conversations.sendText(laptop.device.accountId, 'hello')).rejects.toThrow();
    expect(await bot.call(conversationId, HIGH)).toMatchObject({ reason: 'user_refused' });
    expect([denials(laptop.device).length, denials(third).length]).toEqual([1, 1]);
  });
});
