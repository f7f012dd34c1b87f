import { randomUUID } from 'node:crypto';
import { type KeyPair, nameHeads, readState, signDeviceStatement, signEntry } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { type DeviceStatement, deviceRoutes, deviceStatementHash, entryHash } from '@parley/protocol';
import { SignedAccount } from '@parley/testkit/account';
import type { Anything } from '@parley/testkit/hostile';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, approve, createDisk, newClient, type Person, waitUntil } from '../rig.ts';
import { problem, Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start();
});
afterEach(() => scene.evil.repent());
afterAll(() => scene?.end());

type Disk = ReturnType<typeof createDisk>;

/** The keys of someone who holds a device in their hands. */
const identityOf = ({ entries }: Disk) => readState<{ identity: KeyPair }>(entries.get('own/identity')!).identity;
const accountKeyOf = ({ entries }: Disk) => readState<KeyPair>(entries.get('client/account-key')!);

async function robbed(options: { keeper?: boolean } = {}) {
  const disk = createDisk();
  const person = await scene.victim();
  const bot = await scene.deceivedBot();
  const relation = await addAgent(person.device, bot.agentId, ['note:low']);
  const phone = await newClient(scene.world.server, { store: disk.open(), deviceName: 'Phone' });
  scene.world.atEnd(() => phone.client.close());
  await phone.client.login(person.credentials);
  const device = await approve(person, phone.client);
  if (options.keeper === true) {
    await person.device.devices.makeKeeper(device.deviceId);
    await device.devices.refresh();
  }
  const thief = { deviceId: device.deviceId, identity: identityOf(disk), disk };
  return { person, bot, relation, thief };
}

/** The server appends an entry of the thief's to the ledger, dated as they like. */
function append(
  { person, relation, thief }: Pick<Awaited<ReturnType<typeof robbed>>, 'person' | 'relation' | 'thief'>,
  createdAt: string,
) {
  const history = person.device.relations.history(relation.relationId) as Anything[];
  const last = history.at(-1);
  const forged = signEntry(
    nodeCrypto,
    {
      ...last,
      seq: history.length + 1,
      prev: entryHash(last),
      action: 'change',
      device_id: thief.deviceId,
      created_at: createdAt,
      scopes: [...last.scopes, { id: 'note:medium', sensitivity: 'low' }],
    },
    thief.identity,
  );
  const end = { length: history.length + 1, head: entryHash(forged) };
  for (const route of ['GET /h2a/relations', 'GET /h2a/relations/:id']) {
    scene.evil.answer(route, ({ body }) => {
      for (const row of body.relations ?? [body]) {
        if (row.relation_id !== relation.relationId) continue;
        Object.assign(row, { ledger_length: end.length, ledger_head: end.head, signed: true });
        row.granted_scopes = ['note:low', 'note:medium'];
      }
    });
  }
  scene.evil.answer('GET /h2a/relations/:id/ledger', ({ body }) => ({ entries: [...body.entries, forged], ...end }));
  return forged;
}

describe('EE-18 a revoked device and the server together', () => {
  it.each([
    ['today', new Date().toISOString()],
    ['long before it was revoked', '2020-01-01T00:00:00.000Z'],
  ])(
    'EE-18 attack: an entry signed after the revocation and dated %s grants nothing, here or to the agent',
    async (_, date) => {
      const scene_ = await robbed();
      const { person, bot, relation, thief } = scene_;
      await person.device.devices.revoke(thief.deviceId);
      append(scene_, date);
      await person.device.relations.sync();
      const medium = { tool_name: 'say_medium' };
      expect(await bot.call(relation.conversationId, medium)).toMatchObject({ status: 'denied' });
      expect(await bot.call(relation.conversationId, {})).toMatchObject({ status: 'ok' });
      const view = person.device.relations.getSnapshot().find((one) => one.relationId === relation.relationId)!;
      expect(view.scopes.find(({ id }) => id === 'note:medium')).toMatchObject({ granted: false });
    },
  );

  it('EE-18 attack: the server takes the revocation and shows it nowhere: whoever signed it keeps to it', async () => {
    const robbery = await robbed();
    const { person, bot, relation, thief } = robbery;
    const { length, head } = await person.device.api.call(deviceRoutes.accountDevices, {
      params: { account_id: person.device.accountId },
      query: {},
    });
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.statements = body.statements.filter(({ seq }: Anything) => seq <= length);
      Object.assign(body, { length, head });
    });
    await expect(person.device.devices.revoke(thief.deviceId)).rejects.toMatchObject({ code: 'LIST_REFUSED' });
    expect(await problem(person, 'device_list')).toMatchObject({ problem: 'shortened' });
    append(robbery, new Date().toISOString());
    await person.device.relations.sync();
    const medium = { tool_name: 'say_medium' };
    expect(await bot.call(relation.conversationId, medium)).toMatchObject({ status: 'denied' });
  });

  it('EE-18 what the other devices granted stays when one is revoked', async () => {
    const { person, bot, relation, thief } = await robbed();
    await person.device.devices.revoke(thief.deviceId);
    await person.device.relations.sync();
    expect(await bot.call(relation.conversationId, {})).toMatchObject({ status: 'ok' });
  });

  it('EE-18 attack: the server lets a revoked device in again: its messages are refused', async () => {
    const { person, bot, relation, thief } = await robbed();
    await person.device.devices.revoke(thief.deviceId);
    const list = await person.device.api.call(deviceRoutes.accountDevices, {
      params: { account_id: person.device.accountId },
      query: {},
    });
    const added = list.statements.find((one) => one.action === 'add') as Extract<DeviceStatement, { action: 'add' }>;
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.devices.push({ ...added.device, certificate: null });
    });
    bot.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await bot.send(relation.conversationId, { type: 'text', text: 'for the laptop' });
    const { wraps } = scene.sent.at(-1)!;
    expect(wraps).toHaveLength(1);
  });

  it('EE-18 a device that the server merely says is revoked gets nothing until it says otherwise', async () => {
    const { person, bot, relation, thief } = await robbed();
    const hidden = scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      body.devices = body.devices.filter(({ device_id }: Anything) => device_id !== thief.deviceId);
    });
    const wraps = async () => {
      bot.messenger.refresh({ kind: 'account', id: person.device.accountId });
      await bot.send(relation.conversationId, { type: 'text', text: 'hello' });
      return scene.sent.at(-1)!.wraps as unknown[];
    };
    expect(await wraps()).toHaveLength(1);
    hidden();
    expect(await wraps()).toHaveLength(2);
  });
});

describe('EE-17 a thief with the account key and the server together', () => {
  /** What the thief signs in the place of the person's own next statement. */
  function addGhost(person: Person, before: Anything, thiefKey: KeyPair) {
    const ghost = SignedAccount.makeDevice();
    const { device_id, identity_key, exchange_key } = new SignedAccount(person.device.accountId).listing([ghost])
      .devices[0]!;
    const statement = signDeviceStatement(
      nodeCrypto,
      {
        version: 1,
        account_id: person.device.accountId,
        seq: before.length + 1,
        prev: before.head,
        created_at: new Date().toISOString(),
        action: 'add',
        device: { device_id, identity_key, exchange_key },
      },
      thiefKey,
    );
    return { ghost, statement, row: { device_id, identity_key, exchange_key, certificate: null } };
  }
  const read = (person: Person) =>
    person.device.api.call(deviceRoutes.accountDevices, {
      params: { account_id: person.device.accountId },
      query: {},
    });

  it('EE-17 attack: revoking a keeper replaces the account key: with the old one a thief adds no device', async () => {
    const { person, bot, relation, thief } = await robbed({ keeper: true });
    const thiefKey = accountKeyOf(thief.disk);
    expect(await bot.call(relation.conversationId, {})).toMatchObject({ status: 'ok' });
    await person.device.devices.revoke(thief.deviceId);
    const after = await read(person);
    const { statement, row } = addGhost(person, after, thiefKey);
    scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      if (body.account_id !== person.device.accountId) return;
      body.statements.push(statement);
      Object.assign(body, { length: statement.seq, head: deviceStatementHash(statement) });
      body.devices.push(row);
    });
    bot.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await bot.send(relation.conversationId, { type: 'text', text: 'for the laptop' });
    const { wraps } = scene.sent.at(-1)!;
    expect(JSON.stringify(wraps)).not.toContain(row.device_id);
    expect(wraps).toHaveLength(1);
  });

  it('EE-17 attack: two successors of one statement stop everything, until the recovery key says which one holds', async () => {
    const problems: Anything[] = [];
    const { person, thief } = await robbed({ keeper: true });
    const watching = await scene.deceivedBot({ onProblem: (one) => void problems.push(one) });
    const { conversationId } = await addAgent(person.device, watching.agentId, ['note:low']);
    expect(await watching.call(conversationId, {})).toMatchObject({ status: 'ok' });
    const before = await read(person);
    const { statement, row } = addGhost(person, before, accountKeyOf(thief.disk));
    await person.device.devices.revoke(thief.deviceId);
    watching.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await watching.send(conversationId, { type: 'text', text: 'seen the revocation' });
    const lie = scene.evil.answer('GET /accounts/:id/devices', ({ body }) => {
      if (body.account_id !== person.device.accountId) return;
      return {
        ...body,
        statements: [...before.statements, statement],
        length: statement.seq,
        head: deviceStatementHash(statement),
        devices: [...body.devices, row],
      };
    });
    watching.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await expect(watching.send(conversationId, { type: 'text', text: 'for whom?' })).rejects.toMatchObject({
      code: 'LIST_FORKED',
    });
    expect(problems).toContainEqual(expect.objectContaining({ kind: 'device_list', problem: 'forked' }));
    lie();
    // An honest server alone does not settle it: someone holds the key.
    watching.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await expect(watching.send(conversationId, { type: 'text', text: 'and now?' })).rejects.toMatchObject({
      code: 'LIST_FORKED',
    });
    const secret = (await person.device.devices.recoverySecret())!;
    await expect(person.device.devices.settle('mistyped')).rejects.toMatchObject({ code: 'RECOVERY_SECRET' });
    await person.device.devices.settle(secret);
    watching.messenger.refresh({ kind: 'account', id: person.device.accountId });
    await watching.send(conversationId, { type: 'text', text: 'settled' });
    const { wraps } = scene.sent.at(-1)!;
    expect(wraps).toHaveLength(1);
    expect(await watching.call(conversationId, {})).toMatchObject({ status: 'ok' });
  });

  it('EE-17 attack: the person’s own device is shown a second successor: it stops, too, and settles', async () => {
    const { person, bot, relation, thief } = await robbed({ keeper: true });
    const before = await read(person);
    const { statement } = addGhost(person, before, accountKeyOf(thief.disk));
    await person.device.devices.revoke(thief.deviceId);
    const lie = scene.evil.answer('GET /accounts/:id/devices', ({ body }) => ({
      ...body,
      statements: [...before.statements, statement],
      length: statement.seq,
      head: deviceStatementHash(statement),
    }));
    scene.evil.push({ type: 'device.changed', event_id: 10 ** 9, device_id: thief.deviceId, change: 'added' });
    expect(await problem(person, 'device_list')).toMatchObject({ problem: 'forked' });
    await expect(person.device.devices.rotateKey()).rejects.toMatchObject({ code: 'LIST_FORKED' });
    lie();
    await person.device.devices.settle((await person.device.devices.recoverySecret())!);
    await person.device.relations.sync();
    expect(await bot.call(relation.conversationId, {})).toMatchObject({ status: 'ok' });
    expect(person.device.devices.getSnapshot()).toMatchObject([{ current: true, keeper: true }]);
  });

  it('EE-18 attack: a revocation names heads that say nothing of other relations', async () => {
    const { person, thief } = await robbed();
    await person.device.devices.revoke(thief.deviceId);
    const { statements } = await read(person);
    const revocation = statements.find((one) => one.action === 'revoke') as Extract<
      DeviceStatement,
      { action: 'revoke' }
    >;
    // One relation of this test and the platform's own agent at most, among names that are none.
    expect(revocation.heads).toHaveLength(8);
    const again = nameHeads(nodeCrypto, [{ kind: 'ledger', id: 'a', length: 1, head: 'b' }]);
    expect(again.heads).toHaveLength(8);
    expect(JSON.stringify(revocation)).not.toContain('note:');
  });
});

describe('EE-18 in groups', () => {
  it.each([
    ['stays out', true],
    ['had it not been revoked, it would be heard', false],
  ])(
    'EE-18 attack: a revoked device writes into a group while the server claims not to know the account: %s',
    async (_, isRevoked) => {
      const bob = await scene.victim();
      const person = await scene.world.person();
      const phone = await newClient({ ...scene.world.server, url: scene.evil.url }, { deviceName: 'Phone' });
      scene.world.atEnd(() => phone.client.close());
      await phone.client.login(person.credentials);
      const device = await approve(person, phone.client);
      const members = [{ kind: 'human' as const, id: bob.device.accountId }];
      const group = await person.device.conversations.startGroup('Family', members);
      await device.conversations.sync();
      const timeline = bob.device.conversations.timeline(group);
      const texts = () => timeline.getSnapshot().messages.map(({ payload }) => (payload as Anything).text);
      await device.conversations.sendText(group, 'from the phone');
      await waitUntil(timeline, () => texts().includes('from the phone'));
      const genuine = scene.evil.delivered.findLast(
        (one) => one.type === 'message.new' && one.conversation_id === group,
      );
      // The server keeps the next one back, to deliver it when it likes; not what own devices tell each other (EE-23).
      let kept: Anything;
      scene.evil.take('send', (frame) => {
        const { conversation_id, sender } = frame.envelope.header;
        if (sender.device_id !== device.deviceId || conversation_id !== group) return frame;
        kept = frame.envelope;
        return undefined;
      });
      const late = device.conversations.sendText(group, 'too late').catch(() => {});
      await expect.poll(() => kept).toBeDefined();
      if (isRevoked) await person.device.devices.revoke(device.deviceId);
      await person.device.conversations.sendText(group, 'from the laptop');
      await waitUntil(timeline, () => texts().includes('from the laptop'));
      await bob.device.conversations.detail(group);
      scene.evil.answer('GET /accounts/:id/devices', (answer, { path }) => {
        if (!path.includes(person.device.accountId)) return;
        answer.status = 404;
        return { error: { code: 'NOT_FOUND', message: 'unknown', params: {} } };
      });
      scene.evil.push({ type: 'account.devices_changed', event_id: 10 ** 9, account_id: person.device.accountId });
      const { client_message_id, created_at } = kept.header;
      scene.evil.push({
        ...genuine,
        message_id: randomUUID(),
        conversation_seq: genuine.conversation_seq + 5,
        client_message_id,
        created_at,
        envelope: kept,
      });
      if (isRevoked) {
        expect(await problem(bob, 'undecryptable')).toMatchObject({ conversationId: group, reason: 'sender' });
        expect(texts()).not.toContain('too late');
      } else await waitUntil(timeline, () => texts().includes('too late'));
      await phone.client.close();
      await late;
    },
  );
});
