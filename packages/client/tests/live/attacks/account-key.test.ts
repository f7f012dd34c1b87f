import { generateEd25519, sealWelcome, signEntry, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { entryHash } from '@parley/protocol';
import { SignedAccount, type TestDevice } from '@parley/testkit/account';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, deviceOf, newClient, waitingOf } from '../rig.ts';
import { problem, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

const PASSWORD = 'correct horse battery';
const wraps = () => scene.sent.at(-1)!.wraps as unknown[];

/** A server that claims the account for itself, with a ghost device beside whichever one asks. */
function capture(): { mallory: TestDevice; forged: () => SignedAccount } {
  const mallory = SignedAccount.makeDevice();
  let forged: SignedAccount | undefined;
  const key = generateEd25519(nodeCrypto);
  scene.evil.answer('GET /auth/me', ({ body }) => ({ ...body, account_key: toBase64Url(key.publicKey) }));
  scene.evil.answer('GET /accounts/:id/devices', (_, { path }) => {
    const accountId = path.split('/')[2]!;
    if (forged === undefined) {
      forged = new SignedAccount(accountId);
      forged.accountKey = key;
      forged.create(mallory);
    }
    return accountId === forged.accountId ? forged.listing([mallory]) : undefined;
  });
  return { mallory, forged: () => forged! };
}

describe('EE-16 a server that claims the account key', () => {
  it('EE-16 attack: account-key capture: a fresh registration accepts no key but its own, and its ghost reads nothing', async () => {
    const honest = await scene.world.person();
    const bot = await scene.world.bot();
    const { identity } = await honest.device.agents.inspect({ agentId: bot.agentId });
    const fingerprint = identity.ok ? identity.fingerprint : '';
    const { forged, mallory } = capture();
    const person = await scene.victim();
    const details = await person.device.agents.inspect({ agentId: bot.agentId, fingerprint });
    expect(details.identity).toMatchObject({ ok: true, verified: true });
    const relation = await person.device.relations
      .add({ agentId: bot.agentId, scopes: ['note:low'], manifestHash: details.manifestHash! })
      .catch((error: unknown) => error);
    expect(await problem(person, 'identity_changed')).toMatchObject({
      party: { kind: 'account', id: person.device.accountId },
      offered: forged().publicKey,
    });
    // Whatever the server shows, the list that was made here counts.
    scene.evil.repent();
    await person.device.devices.refresh();
    expect(person.device.devices.getSnapshot()).toMatchObject([{ current: true, listed: true, keeper: true }]);
    expect(relation).toBeDefined();
    capture();
    const { conversationId } = person.device.relations.getSnapshot().find((one) => one.agentId === bot.agentId)!;
    await person.device.conversations.sendText(conversationId, 'for the agent alone');
    expect(wraps()).toHaveLength(1);
    expect(JSON.stringify(wraps())).not.toContain(mallory.deviceId);
  });

  it('EE-16 attack: account-key capture: a server that has another key already makes no device ready', async () => {
    scene.evil.answer('POST /devices', (answer) => {
      answer.status = 409;
      return { error: { code: 'STATEMENT_CONFLICT', message: 'taken', params: {} } };
    });
    const { client } = await newClient({ ...scene.world.server, url: scene.evil.url });
    const account = { email: 'captured@example.org', account_password: PASSWORD, display_name: 'Ada' };
    await expect(client.register(account)).rejects.toMatchObject({ code: 'ACCOUNT_TAKEN' });
    expect(client.session.getSnapshot().state).not.toBe('ready');
    await client.close();
  });

  it('EE-16 attack: account-key capture: a ghost of the server signs a grant, and the tool does not run', async () => {
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const { conversationId, relationId } = await addAgent(person.device, bot.agentId, ['note:low']);
    expect(await bot.call(conversationId, {})).toMatchObject({ status: 'ok' });
    const { mallory } = capture();
    const [first] = person.device.relations.history(relationId) as Anything[];
    const forged = signEntry(
      nodeCrypto,
      {
        ...first,
        seq: 2,
        prev: entryHash(first),
        action: 'change',
        device_id: mallory.deviceId,
        scopes: [...first.scopes, { id: 'note:medium', sensitivity: 'low' }],
      },
      mallory.identity,
    );
    for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
      scene.evil.answer(route, ({ body }) => {
        for (const row of body.relations ?? [body]) {
          if (row.relation_id === relationId) Object.assign(row, { ledger_length: 2, ledger_head: entryHash(forged) });
        }
      });
    }
    scene.evil.answer('GET /h2a/relations/:id/ledger', () => ({
      entries: [forged],
      length: 2,
      head: entryHash(forged),
    }));
    await person.device.relations.sync();
    expect(await bot.call(conversationId, { tool_name: 'say_medium' })).toMatchObject({ status: 'denied' });
    expect(person.ran.every(({ tool }) => tool === 'say_low')).toBe(true);
  });

  it('EE-16 attack: account-key capture: a second device gets in with no code typed: it goes on waiting', async () => {
    const person = await scene.world.person();
    const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const { deviceId, code } = waitingOf(phone.client);
    // All that a server can make up: a list with the phone in it, and a welcome under a code that it does not know.
    scene.evil.answer('GET /devices', ({ body }) => {
      for (const row of body.devices) {
        if (row.device_id !== deviceId) continue;
        const forged = new SignedAccount(person.device.accountId);
        forged.create(SignedAccount.makeDevice());
        const keys = {
          accountId: person.device.accountId,
          identityKey: row.identity_key,
          exchangeKey: row.exchange_key,
        };
        const told = { version: 1, statements: forged.statements, entries: [] };
        const guessed = { ...keys, code: '00000 00000 00000 00000 00000' };
        row.listed = true;
        row.welcome = sealWelcome(nodeCrypto, new TextEncoder().encode(JSON.stringify(told)), guessed);
      }
    });
    await phone.client.checkApproval();
    expect(phone.client.session.getSnapshot()).toMatchObject({ state: 'waiting', code });
    scene.evil.repent();
    await person.device.devices.approve(deviceId, code);
    await phone.client.checkApproval();
    expect(phone.client.session.getSnapshot().state).toBe('ready');
  });

  it('EE-16 attack: tell a device that its account has none yet: it begins none by itself', async () => {
    const person = await scene.world.person();
    const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    scene.evil.answer('GET /auth/me', ({ body }) => ({ ...body, account_key: null }));
    await phone.client.login(person.credentials);
    expect(phone.client.session.getSnapshot()).toMatchObject({ state: 'unfounded' });
  });

  it('EE-16 a device that is let in knows what the account knows: a swapped pin and a rolled-back ledger are seen', async () => {
    const person = await scene.world.person();
    const bot = await scene.world.bot();
    const { relationId, conversationId } = await addAgent(person.device, bot.agentId, ['note:low', 'note:high']);
    await person.device.identities.markVerified({ kind: 'agent', id: bot.agentId });
    const [first] = person.device.relations.history(relationId);
    await person.device.relations.revokeScope(relationId, 'note:low');
    const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const { deviceId, code } = waitingOf(phone.client);
    for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
      scene.evil.answer(route, ({ body }) => {
        for (const row of body.relations ?? [body]) {
          if (row.relation_id === relationId) Object.assign(row, { ledger_length: 1, ledger_head: entryHash(first!) });
        }
      });
    }
    scene.evil.answer('GET /h2a/relations/:id/ledger', ({ body }) => {
      const entries = body.entries.filter((entry: Anything) => entry.seq <= 1);
      return { entries, length: 1, head: entryHash(first!) };
    });
    const mallory = generateEd25519(nodeCrypto);
    await person.device.devices.approve(deviceId, code);
    await phone.client.checkApproval();
    const device = deviceOf(phone.client);
    await device.relations.sync();
    const view = device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
    expect(view.identity).toMatchObject({ verified: true });
    expect(view.scopes.find(({ id }) => id === 'note:low')).toMatchObject({ granted: false });
    expect(await bot.call(conversationId, { tool_name: 'say_low' })).toMatchObject({ status: 'denied' });
    scene.evil.answer('GET /agents/:id', ({ body }) => ({ ...body, identity_key: toBase64Url(mallory.publicKey) }));
    await device.agents.inspect({ agentId: bot.agentId }).catch(() => {});
    scene.evil.push({
      type: 'relation.suspended',
      event_id: 10 ** 9,
      agent_id: bot.agentId,
      relation_id: relationId,
      reason: 'agent',
    });
    expect(await problem({ ...person, device }, 'identity_changed')).toMatchObject({
      offered: toBase64Url(mallory.publicKey),
    });
  });
});
