import { type KeyPair, readState, signDeviceStatement } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type DeviceStatement, deviceRoutes, deviceStatementHash, establishRelation } from '@parley/protocol';
import { SignedAccount, type TestDevice } from '@parley/testkit/account';
import { type Anything, startHostileServer } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Landed, loadLanded } from '../../fixtures/landed/load.ts';
import { MANIFEST } from '../../guard-fixtures.ts';
import { addAgent, approve, createDisk, deviceOf, newClient, type Person, waitUntil } from '../rig.ts';
import { problem, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

const accountKeyOf = ({ entries }: ReturnType<typeof createDisk>) =>
  readState<KeyPair>(entries.get('client/account-key')!);
const readList = (person: Person) =>
  person.device.api.call(deviceRoutes.accountDevices, { params: { account_id: person.device.accountId }, query: {} });
const keysOf = (device: TestDevice) => {
  const { device_id, identity_key, exchange_key } = new SignedAccount().listing([device]).devices[0]!;
  return { device_id, identity_key, exchange_key };
};

/** Shows a list in place of the account's own. */
function show(accountId: string, statements: readonly DeviceStatement[], devices: readonly Anything[] = []) {
  return scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
    if (body.account_id !== accountId) return;
    return {
      ...body,
      statements,
      length: statements.length,
      head: deviceStatementHash(statements.at(-1)!),
      devices: [...body.devices, ...devices],
    };
  });
}

describe('EE-17 a server that answers a recovery', () => {
  it('EE-17 attack: with a list of its own after the statement was sent: the device believes what it signed', async () => {
    const person = await scene.world.person();
    const secret = (await person.device.devices.recoverySecret())!;
    const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const { deviceId } = phone.client.session.getSnapshot() as Anything;
    const row = (await person.device.api.call(deviceRoutes.listDevices)).devices.find(
      (one) => one.device_id === deviceId,
    )!;
    const ghost = SignedAccount.makeDevice();
    const forged = new SignedAccount(person.device.accountId);
    forged.create(ghost);
    const { identity_key, exchange_key } = row;
    const last = forged.statements[0]!;
    const added = signDeviceStatement(
      nodeCrypto,
      {
        version: 1,
        account_id: person.device.accountId,
        seq: 2,
        prev: deviceStatementHash(last),
        created_at: new Date().toISOString(),
        action: 'add',
        device: { device_id: deviceId, identity_key, exchange_key },
      },
      forged.accountKey,
    ) as DeviceStatement;
    let isSent = false;
    scene.evil.answer('POST /devices/list', () => {
      isSent = true;
    });
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      if (!isSent || body.account_id !== person.device.accountId) return;
      const devices = [...body.devices, { ...keysOf(ghost), certificate: null }];
      return { ...body, statements: [last, added], length: 2, head: deviceStatementHash(added), devices };
    });
    await phone.client.recover({ secret }).catch(() => {});
    const session = phone.client.session.getSnapshot();
    if (session.state === 'ready') {
      await session.device.devices.refresh().catch(() => {});
      const trusted = session.device.devices.getSnapshot();
      expect(trusted.some((one) => one.listed && one.deviceId === ghost.deviceId)).toBe(false);
    }
    scene.evil.repent();
    const list = await readList(person).catch(() => undefined);
    expect(JSON.stringify(list ?? {})).not.toContain(ghost.deviceId);
    expect(isSent).toBe(true);
  });

  it('EE-17 attack: settle: on a fork that gives a device of the person’s the keys of a thief', async () => {
    const disk = createDisk();
    const person = await scene.victim();
    const phone = await newClient(scene.world.server, { store: disk.open(), deviceName: 'Phone' });
    scene.world.atEnd(() => phone.client.close());
    await phone.client.login(person.credentials);
    const thief = await approve(person, phone.client);
    await person.device.devices.makeKeeper(thief.deviceId);
    await thief.devices.refresh();
    const before = await readList(person);
    const tablet = await newClient(scene.world.server, { deviceName: 'Tablet' });
    scene.world.atEnd(() => tablet.client.close());
    await tablet.client.login(person.credentials);
    const { deviceId } = await approve(person, tablet.client);
    const ghost = SignedAccount.makeDevice({ deviceId });
    const fork = new SignedAccount(person.device.accountId);
    Object.assign(fork, { accountKey: accountKeyOf(disk), statements: before.statements });
    fork.add(ghost);
    fork.keep(ghost);
    await person.device.devices.revoke(thief.deviceId);
    show(person.device.accountId, fork.statements);
    let settled: Anything;
    scene.evil.answer('POST /devices/list', (_, { body }) => {
      settled = body.statement;
    });
    await person.device.devices.settle((await person.device.devices.recoverySecret())!).catch(() => {});
    const named = (settled?.devices ?? []) as Anything[];
    expect(JSON.stringify(named)).not.toContain(keysOf(ghost).identity_key);
    expect((settled?.rotation.boxes ?? []).map((box: Anything) => box.device_id)).not.toContain(deviceId);
  });

  it('EE-17 attack: a settlement that the server keeps to itself does not cost the device the account key', async () => {
    const person = await scene.victim();
    const { settle, recoverySecret, isKeeper } = person.device.devices;
    show(person.device.accountId, (await readList(person)).statements);
    await settle((await recoverySecret())!).catch(() => {});
    expect(await isKeeper()).toBe(true);
  });
});

describe('EE-14 EE-18 data of the version before', () => {
  let landed: Landed;
  afterEach(() => landed.server.drop());

  it('EE-18 attack: a device that was revoked before there was a list is not signed into it', async () => {
    landed = await loadLanded();
    const store = landed.laptop.open();
    const userId = landed.facts.ada.accountId;
    const evil = await startHostileServer(landed.server.url);
    const probe = await newClient({ ...landed.server, url: evil.url }, { store: landed.phone.open() });
    const phone = deviceOf(probe.client);
    const listing = await phone.api.call(deviceRoutes.accountDevices, { params: { account_id: userId }, query: {} });
    const row = listing.devices.find(({ device_id }) => device_id === phone.deviceId)!;
    await probe.client.close();
    const pin = JSON.parse((await store.get(`pin/account/${userId}`)) ?? 'null') ?? {
      key: listing.account_key,
      verified: true,
    };
    const revoked = { [row.identity_key]: row.certificate!.created_at };
    await store.write(new Map([[`pin/account/${userId}`, JSON.stringify({ ...pin, revoked })]]));
    const laptop = await newClient({ ...landed.server, url: evil.url }, { store });
    const device = deviceOf(laptop.client);
    await waitUntil(device.devices, (all) => all.some(({ keeper }) => keeper));
    const { statements } = await device.api.call(deviceRoutes.accountDevices, {
      params: { account_id: userId },
      query: {},
    });
    expect(JSON.stringify(statements)).not.toContain(row.identity_key);
    await laptop.client.close();
    await evil.close();
  });

  it('EE-17 attack: the server calls the first list a conflict, and shows it later: the recovery secret is still there', async () => {
    landed = await loadLanded();
    const evil = await startHostileServer(landed.server.url);
    const refusal = evil.answer('POST /devices/list', (answer) => {
      answer.status = 409;
      return { error: { code: 'STATEMENT_CONFLICT', message: 'taken', params: {} } };
    });
    const { client } = await newClient({ ...landed.server, url: evil.url }, { store: landed.laptop.open() });
    await waitUntil(client.session, ({ state }) => state === 'ready');
    const device = deviceOf(client);
    await device.devices.refresh();
    refusal();
    await device.devices.refresh();
    expect(device.devices.getSnapshot()).toMatchObject([{ keeper: true }, {}]);
    const secret = await device.devices.recoverySecret();
    expect(secret).toBeDefined();
    await device.devices.settle(secret!);
    await client.close();
    await evil.close();
  });

  it('EE-20 attack: the server makes an admin of a member whom the owner confirms', async () => {
    landed = await loadLanded();
    const evil = await startHostileServer(landed.server.url);
    const { client } = await newClient({ ...landed.server, url: evil.url }, { store: landed.laptop.open() });
    await waitUntil(client.session, ({ state }) => state === 'ready');
    const device = deviceOf(client);
    await waitUntil(device.devices, (all) => all.some(({ keeper }) => keeper));
    const { conversationId } = landed.facts.group;
    const shown = await device.conversations.detail(conversationId);
    let signed: Anything;
    evil.answer('POST /conversations/:id/statements', (_, { body }) => {
      signed = body.statement;
    });
    evil.answer('GET /conversations/:id', ({ body }) => {
      for (const member of body.members ?? []) if (member.role === 'member') member.role = 'admin';
    });
    await device.conversations
      .confirmMembers(conversationId, { members: shown.strangers, title: shown.title })
      .catch(() => {});
    evil.repent();
    const after = await device.conversations.detail(conversationId);
    expect(after.members.some(({ role }) => role === 'admin')).toBe(false);
    expect(JSON.stringify(signed ?? {})).not.toContain('"admin"');
    await client.close();
    await evil.close();
  });
});

describe('EE-18 a server that confuses devices', () => {
  it('EE-18 attack: it swaps the names of two devices: the stolen one is still shown as what it was', async () => {
    const person = await scene.victim();
    const names = ['Phone', 'Tablet'];
    const ids: string[] = [];
    for (const deviceName of names) {
      const { client } = await newClient(scene.world.server, { deviceName });
      scene.world.atEnd(() => client.close());
      await client.login(person.credentials);
      ids.push((await approve(person, client)).deviceId);
    }
    await person.device.devices.refresh();
    scene.evil.answer('GET /devices', ({ body }) => {
      for (const row of body.devices) {
        if (ids.includes(row.device_id)) row.name = names[1 - ids.indexOf(row.device_id)];
      }
    });
    await person.device.devices.refresh();
    const shown = person.device.devices.getSnapshot();
    for (const [index, id] of ids.entries()) {
      expect(shown.find((one) => one.deviceId === id)?.name).toBe(names[index]);
    }
  });

  it('EE-18 attack: it gives a device that signs in again the id of another one: it stays who its list says', async () => {
    const disk = createDisk();
    const person = await scene.victim({ store: disk.open() });
    const { client } = await newClient(scene.world.server, { deviceName: 'Phone' });
    scene.world.atEnd(() => client.close());
    await client.login(person.credentials);
    const phone = await approve(person, client);
    const { deviceId } = person.device;
    await person.client.logout();
    scene.evil.answer('POST /devices', ({ body }) => ({ ...body, device_id: phone.deviceId }));
    await person.client.login(person.credentials).catch(() => {});
    const session = person.client.session.getSnapshot();
    if (session.state === 'ready') expect(session.device.deviceId).toBe(deviceId);
  });
});

describe('EE-16 the own account', () => {
  it('EE-16 attack: a list of the server’s own is shown as a changed identity: no yes makes it the account’s', async () => {
    const person = await scene.victim();
    const ghost = SignedAccount.makeDevice();
    const forged = new SignedAccount(person.device.accountId);
    forged.create(ghost);
    show(person.device.accountId, forged.statements, [{ ...keysOf(ghost), certificate: null }]);
    scene.evil.push({ type: 'device.changed', event_id: 10 ** 9, device_id: ghost.deviceId, change: 'added' });
    const changed = (await problem(person, 'identity_changed')) as Anything;
    const party = { kind: 'account' as const, id: person.device.accountId };
    expect(changed.party).toEqual(party);
    await expect(person.device.identities.confirm(party, changed.offered)).rejects.toMatchObject({
      code: 'OWN_IDENTITY',
    });
    await person.device.devices.refresh().catch(() => {});
    expect(person.device.devices.getSnapshot().some((one) => one.listed && one.deviceId === ghost.deviceId)).toBe(
      false,
    );
  });
});

describe('EE-9 comparing safety numbers', () => {
  it('EE-9 attack: a list of the server’s own that ends in the account’s key does not fit when numbers are compared', async () => {
    const person = await scene.world.person();
    const bot = await scene.deceivedBot();
    const account = { kind: 'account' as const, id: person.device.accountId };
    const { list } = { list: await readList(person) };
    const [first] = list.statements as Anything[];
    const ghost = SignedAccount.makeDevice();
    const forged = new SignedAccount(account.id);
    forged.create(ghost);
    // All that a server knows of the account's key is its public half.
    forged.rotate({ ...forged.accountKey, publicKey: Buffer.from(first.account_key, 'base64url') });
    show(account.id, forged.statements, [{ ...keysOf(ghost), certificate: null }]);
    await addAgent(person.device, bot.agentId, ['note:low']);
    expect(await bot.messenger.trust.account(account.id)).toMatchObject({ ok: false, problem: 'device_list' });
  });
});

describe('RL-10 a server that asks for a signature', () => {
  it('RL-10 attack: signed is the text that was shown, not one that calls a high scope low', async () => {
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const relaxed = structuredClone(MANIFEST) as Anything;
    for (const scope of relaxed.permission_scopes) scope.sensitivity = 'low';
    const helper = await scene.world.bot({ manifest: relaxed });
    const other = await person.device.agents.inspect({ agentId: helper.agentId });
    const relaxedHash = other.manifestHash!;
    const plain = await person.device.agents.inspect({ agentId: bot.agentId });
    expect(plain.manifestHash).not.toBe(relaxedHash);
    await person.device.api.call(establishRelation, { body: { agent_id: bot.agentId, granted_scopes: ['note:high'] } });
    for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
      scene.evil.answer(route, ({ body }) => {
        for (const row of body.relations ?? [body]) {
          if (row.agent_id === bot.agentId) row.capability_manifest_hash = relaxedHash;
        }
      });
    }
    scene.evil.answer('GET /agents/:id/manifests/:version', () => ({ capability_manifest: relaxed }));
    let signed: Anything;
    for (const route of ['POST /h2a/relations/:id/ledger', 'PATCH /h2a/relations/:id']) {
      scene.evil.answer(route, (_, { body }) => {
        signed = body.ledger_entry;
      });
    }
    await person.device.relations.sync();
    const view = person.device.relations.getSnapshot().find((one) => one.agentId === bot.agentId)!;
    const shown = view.scopes.filter((scope) => scope.unsigned);
    expect(shown).toMatchObject([{ id: 'note:high', level: 'high' }]);
    await person.device.relations.signPending(view.relationId, ['note:high'], view.manifestHash);
    expect(signed).toMatchObject({
      manifest_hash: plain.manifestHash,
      scopes: [{ id: 'note:high', sensitivity: 'high' }],
    });
  });

  it('RL-9 attack: a scope that the person was asked about and refused is not kept because the server stops asking', async () => {
    const person = await scene.victim();
    const bot = await scene.world.bot();
    const { relationId } = await addAgent(person.device, bot.agentId, ['note:low', 'note:high']);
    let isAsking = true;
    for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
      scene.evil.answer(route, ({ body }) => {
        for (const row of body.relations ?? [body]) {
          if (row.relation_id === relationId && isAsking) row.pending_scopes = ['note:high'];
        }
      });
    }
    await person.device.relations.sync();
    const review = await person.device.relations.review(relationId);
    expect(review.pending).toMatchObject([{ id: 'note:high' }]);
    isAsking = false;
    await person.device.relations.sync();
    await person.device.relations.answer(relationId, [], review.manifestHash);
    const view = person.device.relations.getSnapshot().find((one) => one.relationId === relationId)!;
    expect(view.scopes.find(({ id }) => id === 'note:high')).toMatchObject({ granted: false });
  });
});
