import { randomUUID } from 'node:crypto';
import type { Problem } from '@parley/messenger';
import { SignedAccount } from '@parley/testkit/account';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, approve, newClient, type Person, waitingOf, waitUntil } from '../rig.ts';
import { Mallory, problem, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

/** For whom the last message was sealed. */
const wraps = () => scene.sent.at(-1)!.wraps as unknown[];
const text = (words: string) => ({ type: 'text' as const, text: words });

/** A person and an agent that talk through the lying server, and have talked. */
async function acquaint(options: Parameters<Scene['victim']>[0] = {}) {
  const problems: Problem[] = [];
  const person = await scene.victim(options);
  const bot = await scene.deceivedBot({ onProblem: (one) => void problems.push(one) });
  const relation = await addAgent(person.device, bot.agentId);
  expect(await bot.call(relation.conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'ok' });
  return { person, bot, problems, ...relation };
}
/** The agent forgets what it has learnt from the server; what it has pinned it keeps. */
const ask = (bot: Anything, person: Person) => bot.messenger.refresh({ kind: 'account', id: person.device.accountId });
const ghost = (mallory: Mallory) => ({
  device_id: randomUUID(),
  identity_key: mallory.identityKey,
  exchange_key: mallory.exchangeKey,
  certificate: null,
});
const keysOf = (body: Anything, deviceId: string) => {
  const added = body.statements.find((one: Anything) => one.device?.device_id === deviceId)?.device;
  return added ?? ghost(new Mallory());
};

describe('EE-18 a server that adds a device', () => {
  it('EE-18 attack: a ghost device that no list names gets no wraps', async () => {
    const { person, bot, conversationId } = await acquaint();
    const mallory = new Mallory();
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => void body.devices.push(ghost(mallory)));
    ask(bot, person);
    await bot.send(conversationId, text('for your eyes only'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-18 attack: a ghost device in a list of the server’s own gets no wraps, and the agent is told', async () => {
    const { person, bot, problems, conversationId } = await acquaint();
    const accountId = person.device.accountId;
    const forged = new SignedAccount(accountId);
    const mallory = SignedAccount.makeDevice();
    forged.create(mallory);
    scene.evil.answer('GET /accounts/:id/devices', () => forged.listing([mallory]));
    ask(bot, person);
    const before = scene.sent.length;
    await expect(bot.send(conversationId, text('for your eyes only'))).rejects.toMatchObject({
      code: 'IDENTITY_CHANGED',
    });
    expect(scene.sent).toHaveLength(before);
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'identity_changed', party: { kind: 'account', id: accountId } }),
    );
    scene.evil.repent();
    ask(bot, person);
    await bot.send(conversationId, text('an honest server makes it work again'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-18 attack: a list recovered by a key of the server’s own outranks nothing', async () => {
    const { person, bot, conversationId } = await acquaint();
    const forged = new SignedAccount(person.device.accountId);
    const mallory = SignedAccount.makeDevice();
    forged.create(mallory);
    for (let n = 0; n < 3; n++) forged.recover([mallory]);
    scene.evil.answer('GET /accounts/:id/devices', () => forged.listing([mallory]));
    ask(bot, person);
    await expect(bot.send(conversationId, text('hello'))).rejects.toMatchObject({ code: 'IDENTITY_CHANGED' });
  });

  it('EE-18 attack: add a statement that the account key has not signed: the list that was seen counts', async () => {
    const { person, bot, problems, conversationId } = await acquaint();
    const forged = new SignedAccount(person.device.accountId);
    forged.create(SignedAccount.makeDevice());
    scene.evil.answer('GET /accounts/:id/devices', ({ body }, { path }) => {
      if (!path.includes(person.device.accountId)) return;
      const { device_id, identity_key, exchange_key } = forged.listing([SignedAccount.makeDevice()]).devices[0]!;
      const ghost = { device_id, identity_key, exchange_key };
      const seq = body.length + 1;
      const signature = forged.statements[0]!.signature;
      const created_at = new Date().toISOString();
      body.statements.push({
        version: 1,
        account_id: person.device.accountId,
        seq,
        prev: body.head,
        created_at,
        action: 'add',
        device: ghost,
        signature,
      });
      body.length = seq;
      body.devices.push({ ...ghost, certificate: null });
    });
    ask(bot, person);
    await bot.send(conversationId, text('for the laptop'));
    expect(wraps()).toHaveLength(1);
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'device_list', problem: 'invalid' }));
  });

  it('EE-18 attack: resurrect a revoked device: who saw it go seals nothing for it, and hears nothing from it', async () => {
    const { person, bot, conversationId } = await acquaint();
    const phone = await newClient(scene.world.server, { deviceName: 'Phone', baseUrl: scene.evil.url });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const waiting = waitingOf(phone.client);
    const { deviceId } = await approve(person, phone.client);
    expect(deviceId).toBe(waiting.deviceId);
    ask(bot, person);
    await bot.send(conversationId, text('for both'));
    expect(wraps()).toHaveLength(2);
    await person.device.devices.revoke(waiting.deviceId);
    ask(bot, person);
    await bot.send(conversationId, text('for the laptop'));
    expect(wraps()).toHaveLength(1);

    // The server lets it in again, and shows the list as it was before the revocation.
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.devices.push({ device_id: waiting.deviceId, ...keysOf(body, waiting.deviceId), certificate: null });
      if (body.length === 3) Object.assign(body, { length: 2, head: body.statements[2]?.prev ?? body.head });
      body.statements = body.statements.slice(0, 2);
    });
    ask(bot, person);
    await bot.send(conversationId, text('still for the laptop'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-16 attack: swap the keys of a device that waits: the code on its screen does not fit them', async () => {
    const person = await scene.victim();
    const phone = await newClient(scene.world.server, { deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const waiting = phone.client.session.getSnapshot();
    if (waiting.state !== 'waiting') throw new Error(`the phone is ${waiting.state}`);
    const mallory = new Mallory();
    scene.evil.answer('GET /devices', ({ body }) => {
      for (const device of body.devices) if (!device.current) device.identity_key = mallory.identityKey;
    });
    await expect(person.device.devices.approve(waiting.deviceId, waiting.code)).rejects.toMatchObject({
      code: 'DEVICE_CODE',
    });
  });
});

describe('EE-9 a server that swaps the keys of an agent', () => {
  it('EE-9 at a first contact nobody compared it succeeds, and says itself that nobody compared', async () => {
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const mallory = new Mallory();
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, ...mallory.agentKeys(bot.agentId) }));
    const { identity } = await person.device.agents.inspect({ agentId: bot.agentId });
    expect(identity).toMatchObject({ ok: true, verified: false, key: mallory.identityKey });
  });

  it('EE-9 attack: at a first contact through a link with a fingerprint it fails', async () => {
    const honest = await scene.world.person();
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const { identity } = await honest.device.agents.inspect({ agentId: bot.agentId });
    const fingerprint = identity.ok ? identity.fingerprint : '';
    const mallory = new Mallory();
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, ...mallory.agentKeys(bot.agentId) }));
    const details = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    expect(details.identity).toMatchObject({ ok: false, problem: 'fingerprint' });
    scene.evil.repent();
    const after = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    expect(after.identity).toMatchObject({ ok: true, verified: true });
  });

  it('EE-9 attack: later: what it sends under the new key runs nothing, and the person is asked', async () => {
    const { person, bot, conversationId, relationId } = await acquaint();
    const mallory = new Mallory();
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, ...mallory.agentKeys(bot.agentId) }));
    await person.device.relations.review(relationId).catch(() => {});
    scene.evil.push({
      type: 'relation.suspended',
      event_id: 10 ** 9,
      agent_id: bot.agentId,
      relation_id: relationId,
      reason: 'agent',
    });
    expect(await problem(person, 'identity_changed')).toMatchObject({ offered: mallory.identityKey });
    await waitUntil(person.device.relations, ([one]) => one?.problem === 'identity_changed');
    const ran = person.ran.length;
    await bot.send(conversationId, text('is anyone there?'));
    await expect(person.device.conversations.sendText(conversationId, 'a secret')).rejects.toMatchObject({
      code: 'IDENTITY_CHANGED',
    });
    expect(person.ran).toHaveLength(ran);
  });

  it('EE-5 attack: swap the prekeys: nothing is sealed to them', async () => {
    const person = await scene.victim();
    const bot = await scene.deceivedBot();
    const mallory = new Mallory();
    scene.evil.answer('POST /keys/bundles', ({ body }) => {
      for (const bundle of body.bundles) bundle.signed_prekey = mallory.signedPrekey();
    });
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await expect(bot.send(conversationId, text('hello'))).rejects.toMatchObject({ code: 'NO_RECIPIENT' });
    await expect(person.device.conversations.sendText(conversationId, 'hello')).rejects.toMatchObject({
      code: 'NO_RECIPIENT',
    });
  });

  it('EE-5 attack: swap everything in a bundle: nothing is sealed to it', async () => {
    const person = await scene.victim();
    const bot = await scene.deceivedBot();
    const mallory = new Mallory();
    scene.evil.answer('POST /keys/bundles', ({ body }) => {
      for (const bundle of body.bundles) {
        bundle.identity_key = mallory.identityKey;
        bundle.exchange_key = mallory.exchangeKey;
        bundle.signed_prekey = mallory.signedPrekey();
        bundle.one_time_prekey = null;
      }
    });
    const { conversationId } = await addAgent(person.device, bot.agentId);
    await expect(bot.send(conversationId, text('hello'))).rejects.toMatchObject({ code: 'NO_RECIPIENT' });
    await expect(person.device.conversations.sendText(conversationId, 'hello')).rejects.toMatchObject({
      code: 'NO_RECIPIENT',
    });
  });
});
