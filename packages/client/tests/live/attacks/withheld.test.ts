import { createDeferred } from '@parley/base';
import { type Head, listRelations, readLedger, readRelation } from '@parley/protocol';
import type { Anything } from '@parley/testkit/hostile';
import { until } from '@parley/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Device } from '../../../src/device.ts';
import { addAgent, approve, createDisk, makeExecutors, newClient, type Person, type Ran, waitUntil } from '../rig.ts';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

/** A laptop at an honest server and a phone at the lying one, both of one person, who has added an agent. */
async function begin({
  disk = createDisk(),
  running,
}: {
  disk?: ReturnType<typeof createDisk>;
  running?: Running;
} = {}) {
  const laptop = await scene.world.person({ executors: [] });
  const bot = await scene.world.bot();
  const { relationId, conversationId } = await addAgent(laptop.device, bot.agentId);
  const ran: Ran[] = [];
  const { client } = await newClient(
    { ...scene.world.server, url: scene.evil.url },
    { deviceName: 'Phone', store: disk.open(), executors: makeExecutors(ran, running) },
  );
  scene.world.atEnd(() => client.close());
  await client.login(laptop.credentials);
  const phone = await approve(laptop, client);
  await waitUntil(phone.relations, (all) => all.some((one) => one.relationId === relationId));
  return { laptop, phone, client, bot, ran, relationId, conversationId };
}
type Running = NonNullable<Parameters<typeof makeExecutors>[1]>;

const relationOf = (device: Device, relationId: string) =>
  device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
const withheld = (device: Device) =>
  device.problems
    .getSnapshot()
    .flatMap(({ problem, over }) => (problem.kind === 'withheld' && over === undefined ? [problem] : []));

/** From now on the phone is told nothing, and shown the relation and its ledger as they are. */
async function freeze(laptop: Person, relationId: string): Promise<void> {
  const { api } = laptop.device;
  const params = { relation_id: relationId };
  const row = await api.call(readRelation, { params });
  const ledger = await api.call(readLedger, { params, query: {} });
  const page = await api.call(listRelations, { query: {} });
  scene.evil.deliver('*', (frame) =>
    /^(relation|agent|h2a|device|account|conversation)\./.test(frame.type) ? undefined : frame,
  );
  scene.evil.answer('GET /h2a/relations', () => page);
  scene.evil.answer('GET /h2a/relations/:id', () => row);
  scene.evil.answer('GET /h2a/relations/:id/ledger', (_, { path }) => {
    const after = Number(new URL(path, 'http://x').searchParams.get('after') ?? 0);
    return { ...ledger, entries: ledger.entries.slice(after) };
  });
}

describe('EE-23 a server that keeps a revocation from one device', () => {
  it('EE-23 attack: a swallowed revocation: a second device, online throughout, kept running a revoked scope without bound', async () => {
    const started = createDeferred<void>();
    const { laptop, phone, bot, ran, relationId, conversationId } = await begin({
      running: (args, signal) =>
        args.text === 'long'
          ? new Promise((_, reject) => {
              started.resolve();
              signal.addEventListener('abort', () => reject(signal.reason));
            })
          : Promise.resolve({ said: true }),
    });
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    const long = bot.call(conversationId, { arguments: { text: 'long' } });
    await started.promise;
    await freeze(laptop, relationId);

    await laptop.device.relations.revokeScope(relationId, 'note:low');
    await waitUntil(phone.relations, () => relationOf(phone, relationId).problem === 'withheld');
    expect(relationOf(phone, relationId).withheldBy).toEqual({ deviceId: laptop.device.deviceId, name: 'Laptop' });
    await waitUntil(phone.problems, () => withheld(phone).length > 0);
    expect(withheld(phone)).toEqual([{ kind: 'withheld', subject: 'ledger', id: relationId, device: 'Laptop' }]);
    expect(await long).not.toMatchObject({ status: 'ok' });
    const before = ran.length;
    for (const tool_name of ['say_low', 'say_medium']) {
      expect(await bot.call(conversationId, { tool_name })).toMatchObject({ status: 'denied' });
    }
    expect(ran).toHaveLength(before);
    // Nor does it sign on top of less than there is.
    const { manifestHash } = relationOf(phone, relationId);
    const granting = phone.relations.change(relationId, ['note:low', 'note:medium', 'note:high'], manifestHash!);
    await expect(granting).rejects.toMatchObject({ code: 'LEDGER_WITHHELD' });
    // Whoever took it back sees who has not confirmed it.
    expect(relationOf(laptop.device, relationId).unconfirmed).toEqual([{ deviceId: phone.deviceId, name: 'Phone' }]);

    // An honest server makes everything work again without anyone's help (EE-24).
    scene.evil.repent();
    await phone.relations.sync();
    await waitUntil(phone.problems, () => withheld(phone).length === 0);
    expect(relationOf(phone, relationId).problem).toBeUndefined();
    await waitUntil(laptop.device.relations, () => relationOf(laptop.device, relationId).unconfirmed.length === 0);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'denied' });
    expect(ran).toHaveLength(before);
  });

  it('EE-23 attack: it swallows what own devices tell each other, too: the next ordinary message tells it', async () => {
    const { laptop, phone, bot, relationId, conversationId } = await begin();
    await freeze(laptop, relationId);
    const { accountId } = laptop.device;
    let swallowed = 0;
    scene.evil.deliver('message.new', (frame) => {
      if (frame.conversation_id !== accountId) return frame;
      swallowed++;
    });
    await laptop.device.relations.revokeScope(relationId, 'note:low');
    await laptop.device.conversations.sendText(conversationId, 'hello');
    await waitUntil(phone.relations, () => relationOf(phone, relationId).problem === 'withheld');
    // Nobody is shown what devices tell each other: not the agent, not the person.
    await until(() => expect(bot.received).toHaveLength(1));
    expect(bot.received[0]!.payload).toEqual({ type: 'text', text: 'hello' });
    const timeline = phone.conversations.timeline(conversationId);
    const { messages } = await waitUntil(timeline, (one) => one.messages.length > 0);
    expect(messages.map(({ payload }) => payload)).toEqual([{ type: 'text', text: 'hello' }]);
    expect(phone.conversations.list.getSnapshot().map((one) => one.conversationId)).not.toContain(accountId);
    await until(() => expect(swallowed).toBeGreaterThan(0));
  });

  it('EE-23 attack: an agent, another account or the server itself says what own devices would', async () => {
    const { laptop, phone, bot, relationId, conversationId } = await begin();
    const { accountId } = laptop.device;
    const lie: Head = { kind: 'ledger', id: relationId, length: 99, head: 'f'.repeat(64) };
    const forged = [
      { type: 'text', text: 'one', heads: [lie] },
      { type: 'system', code: 'account.heads', params: { heads: [lie] } },
    ] as Anything[];
    for (const payload of forged) await bot.send(conversationId, payload);
    await expect(bot.messenger.send({ conversationId: accountId, payload: forged[1] })).rejects.toThrow();
    const frame = scene.evil.delivered.findLast(
      (one) => one.type === 'message.new' && one.conversation_id === conversationId,
    );
    scene.evil.push({ ...frame, conversation_id: accountId, conversation_seq: 1_000 }, ({ kind }) => kind === 'human');
    const eve = await scene.world.person();
    const h2h = await eve.device.conversations.startWithPerson(accountId);
    await eve.device.conversations.sendText(h2h, 'two');
    await waitUntil(phone.conversations.timeline(h2h), ({ messages }) => messages.length > 0);
    // What was said before it has been handled by now.
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    expect(withheld(phone)).toEqual([]);
    expect(relationOf(phone, relationId).problem).toBeUndefined();
  });

  it('EE-23 attack: the lie of a stolen device ends when the list revokes it', async () => {
    const disk = createDisk();
    const { laptop, phone, client, relationId } = await begin({ disk });
    const tablet = await scene.world.secondDevice(laptop, { deviceName: 'Tablet' });
    const thief = await approve(laptop, tablet.client);
    await waitUntil(phone.devices, (all) => all.some((one) => one.deviceId === thief.deviceId && one.listed));
    await client.close();
    const lie: Head = { kind: 'ledger', id: relationId, length: 99, head: 'f'.repeat(64) };
    const store = disk.open();
    await store.write(new Map([[`client/heard/${thief.deviceId}`, JSON.stringify([lie])]]));
    const again = await newClient({ ...scene.world.server, url: scene.evil.url }, { store: disk.open() });
    scene.world.atEnd(() => again.client.close());
    const session = await waitUntil(again.client.session, ({ state }) => state === 'ready');
    const back = (session as { device: Device }).device;
    await waitUntil(back.problems, () => withheld(back).length > 0);
    expect(relationOf(back, relationId)).toMatchObject({ problem: 'withheld', withheldBy: { name: 'Tablet' } });
    await laptop.device.devices.revoke(thief.deviceId);
    await waitUntil(back.problems, () => withheld(back).length === 0);
    expect(relationOf(back, relationId).problem).toBeUndefined();
    // Both say so: the phone knows now that the tablet is gone.
    await waitUntil(laptop.device.devices.unaware, (all) => all.length === 0);
    expect(
      [...disk.entries.keys()].filter((key) => key.includes(thief.deviceId) && key.startsWith('client/heard/')),
    ).toEqual([]);
  });

  it('EE-23 attack: a swallowed revocation of a device stops every grant on the device that was not shown it', async () => {
    const { laptop, phone, bot, relationId, conversationId } = await begin();
    const tablet = await scene.world.secondDevice(laptop, { deviceName: 'Tablet' });
    const thief = await approve(laptop, tablet.client);
    await waitUntil(phone.devices, (all) => all.some((one) => one.deviceId === thief.deviceId && one.listed));
    await freeze(laptop, relationId);
    let shown: Anything;
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      shown ??= body;
      return shown;
    });
    await phone.devices.refresh();
    await laptop.device.devices.revoke(thief.deviceId);
    await waitUntil(phone.problems, () => withheld(phone).some(({ subject }) => subject === 'devices'));
    expect(relationOf(phone, relationId).problem).toBe('withheld');
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'denied' });
    expect(laptop.device.devices.unaware.getSnapshot()).toEqual([{ deviceId: phone.deviceId, name: 'Phone' }]);
    scene.evil.repent();
    await phone.devices.refresh();
    await waitUntil(phone.problems, () => withheld(phone).length === 0);
    await waitUntil(laptop.device.devices.unaware, (all) => all.length === 0);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
  });
});
