import { randomUUID } from 'node:crypto';
import { certifyDevice, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import type { Problem } from '@parley/messenger';
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
const wraps = () => scene.evil.taken.findLast((frame) => frame.type === 'send').envelope.wraps as unknown[];
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
const ghost = (mallory: Mallory, certificate: Anything) => ({
  device_id: randomUUID(),
  identity_key: mallory.identityKey,
  exchange_key: mallory.exchangeKey,
  certificate,
  status: 'certified',
});

describe('EE-14 a server that adds a device', () => {
  it('EE-14 attack: a ghost device without a certificate gets no wraps', async () => {
    const { person, bot, conversationId } = await acquaint();
    const mallory = new Mallory();
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => void body.devices.push(ghost(mallory, null)));
    ask(bot, person);
    await bot.send(conversationId, text('for your eyes only'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-14 attack: a ghost device certified by a made-up account key gets no wraps', async () => {
    const { person, bot, conversationId } = await acquaint();
    const mallory = new Mallory();
    const accountId = person.device.accountId;
    const keys = { identityKey: mallory.identity.publicKey, exchangeKey: mallory.exchange.publicKey };
    const subject = { accountId, ...keys };
    const createdAt = new Date().toISOString();
    const certificate = certifyDevice(nodeCrypto, mallory.identity, { subject, createdAt });
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => void body.devices.push(ghost(mallory, certificate)));
    ask(bot, person);
    await bot.send(conversationId, text('for your eyes only'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-14 attack: swap the account key later: nothing is sealed under it, and the agent is told', async () => {
    const { person, bot, problems, conversationId } = await acquaint();
    const mallory = new Mallory();
    const accountId = person.device.accountId;
    const keys = { identityKey: mallory.identity.publicKey, exchangeKey: mallory.exchange.publicKey };
    const createdAt = new Date().toISOString();
    const certificate = certifyDevice(nodeCrypto, mallory.identity, { subject: { accountId, ...keys }, createdAt });
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.account_key = toBase64Url(mallory.identity.publicKey);
      body.devices = [ghost(mallory, certificate)];
    });
    ask(bot, person);
    const before = scene.evil.taken.filter(({ type }) => type === 'send').length;
    await expect(bot.send(conversationId, text('for your eyes only'))).rejects.toMatchObject({
      code: 'IDENTITY_CHANGED',
    });
    expect(scene.evil.taken.filter(({ type }) => type === 'send')).toHaveLength(before);
    expect(problems).toContainEqual(
      expect.objectContaining({ kind: 'identity_changed', party: { kind: 'account', id: accountId } }),
    );
  });

  it('EE-14 attack: resurrect a revoked device: who saw it go seals nothing for it, and hears nothing from it', async () => {
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

    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.devices.push(...body.revoked_devices);
      body.revoked_devices = [];
    });
    ask(bot, person);
    await bot.send(conversationId, text('still for the laptop'));
    expect(wraps()).toHaveLength(1);
  });

  it('EE-14 attack: swap the keys of a device that waits: the code on its screen does not fit them', async () => {
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
