import { generateEd25519, keyFingerprint } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import {
  type BodyOf,
  conversationRoutes,
  type DeviceStatement,
  deviceRoutes,
  deviceStatementHash,
} from '@parley/protocol';
import { SignedAccount, SignedGroup } from '@parley/testkit/account';
import { befriend, startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Account,
  Cast,
  createAgent,
  Disk,
  type Party,
  relate,
  signUp,
  startAgent,
  startDevice,
  text,
  words,
} from './parties.ts';
import { Rig, typeOf } from './rig.ts';

let server: TestServer;
const cast = new Cast();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await cast.close();
  await server.drop();
});

async function introduce(options: Parameters<typeof startAgent>[2] = {}) {
  const met = await cast.introduce(server);
  return { ...met, agent: cast.add(await startAgent(server, met.account, options)) };
}

/** Frames of envelopes that leave through a rig. */
function watch(rig: Rig) {
  const envelopes: BodyOf<typeof conversationRoutes.sendMessage>[] = [];
  rig.outgoing = (frame) => {
    if (typeOf(frame) === 'send') envelopes.push(JSON.parse(frame).envelope);
    return true;
  };
  return envelopes;
}

describe('EE-5 a first message', () => {
  test('reaches a device that was offline when it was sent', async () => {
    const ada = await signUp(server);
    const disk = new Disk();
    const device = await startDevice(server, ada, { store: disk.open() });
    const account = await createAgent(device.api);
    const conversationId = await relate(device.api, account.agentId);
    await device.messenger.close();
    const agent = cast.add(await startAgent(server, account));
    await agent.messenger.send({ conversationId, payload: text('good morning') });
    const back = cast.add(await startDevice(server, ada, { store: disk.open() }));
    await until(() => expect(words(back)).toEqual(['good morning']));
    const left = () => [...disk.entries.keys()].filter((key) => key.startsWith('own/once/'));
    await until(() => expect(left()).toHaveLength(99));
  });
});

describe('EE-4 a lost session', () => {
  test('is begun anew, and says which messages could not be read', async () => {
    const disk = new Disk();
    const { device, agent, account, conversationId } = await introduce({ store: disk.open() });
    await agent.messenger.send({ conversationId, payload: text('hello') });
    await until(() => expect(words(device)).toEqual(['hello']));
    await device.messenger.send({ conversationId, payload: text('hi') });
    await until(() => expect(words(agent)).toEqual(['hi']));
    await agent.messenger.close();
    for (const key of [...disk.entries.keys()]) if (key.startsWith('peer/')) disk.entries.delete(key);
    const again = cast.add(await startAgent(server, account, { store: disk.open() }));
    await device.messenger.send({ conversationId, payload: text('into the void') });
    // What was acknowledged at the very end may come again, and cannot be read any more either.
    const unread = { kind: 'undecryptable', reason: 'session_unknown', seq: 3 };
    await until(() => expect(again.problems).toContainEqual(expect.objectContaining(unread)));
    await again.messenger.send({ conversationId, payload: text('once more') });
    await until(() => expect(words(device)).toEqual(['hello', 'once more']));
    await device.messenger.send({ conversationId, payload: text('gladly') });
    await until(() => expect(words(again)).toEqual(['gladly']));
  });
});

describe('EE-18 devices', () => {
  test('of one person all get what is sent, also what another of them sends', async () => {
    const { ada, device, agent, conversationId } = await introduce();
    await agent.messenger.send({ conversationId, payload: text('to one') });
    const second = cast.add(await startDevice(server, ada));
    await until(() => expect(agent.events.map(({ type }) => type)).toContain('account.devices_changed'));
    await agent.messenger.send({ conversationId, payload: text('to both') });
    await until(() => expect(words(device)).toEqual(['to one', 'to both']));
    await until(() => expect(words(second)).toContain('to both'));
    await second.messenger.send({ conversationId, payload: text('from the second') });
    await until(() => expect(words(device)).toContain('from the second'));
    await until(() => expect(words(agent)).toEqual(['from the second']));
    expect(device.problems).toEqual([]);
  });

  test('attack: a ghost device that the server adds gets no wrap and is not heard', async () => {
    const rig = new Rig();
    const envelopes = watch(rig);
    const { ada, device, agent, conversationId } = await introduce({ platform: rig.platform });
    const ghost = await startGhost(ada);
    for (const { messenger } of [agent, device]) messenger.refresh({ kind: 'account', id: ada.id });
    await agent.messenger.send({ conversationId, payload: text('for Ada') });
    await until(() => expect(words(device)).toEqual(['for Ada']));
    expect(envelopes.flatMap(({ wraps }) => wraps.map(({ to }) => to))).toEqual([device.deviceId]);
    await ghost.messenger.send({ conversationId, payload: text('I am Ada') });
    await until(() => expect(agent.problems).toMatchObject([{ kind: 'undecryptable', reason: 'sender' }]));
    expect(words(agent)).toEqual([]);
    expect(words(ghost)).toEqual([]);
  });

  /** A device that the server lets in by itself. It believes in a list of its own, under a key of the thief. */
  async function startGhost(ada: Account) {
    const thief = { ...ada, signed: new SignedAccount(ada.id) };
    const disk = new Disk();
    const ghost = await startDevice(server, thief, { store: disk.open() }, { isLetIn: false });
    const { db } = server.platform;
    await db.updateTable('devices').set({ listed: true }).where('id', '=', ghost.deviceId).execute();
    return cast.add(ghost);
  }

  test('attack: of a ghost member that the server puts into a conversation of two get nothing, and are not heard', async () => {
    const rig = new Rig();
    const envelopes = watch(rig);
    const { device, agent, conversationId } = await introduce({ platform: rig.platform });
    await agent.messenger.send({ conversationId, payload: text('for Ada') });
    const eve = await signUp(server);
    const ghost = cast.add(await startDevice(server, eve));
    const { db } = server.platform;
    await db
      .insertInto('members')
      .values({
        conversation_id: conversationId,
        member_kind: 'human',
        member_id: eve.id,
        role: 'member',
        joined_seq: 0,
      })
      .execute();
    for (const { messenger } of [agent, device]) messenger.refresh({ kind: 'conversation', id: conversationId });
    const sending = { conversationId, payload: text('for Eve, too?') };
    await expect(agent.messenger.send(sending)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    await expect(ghost.messenger.send(sending)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    expect(envelopes.flatMap(({ wraps }) => wraps.map(({ to }) => to))).toEqual([device.deviceId]);
    await db.deleteFrom('members').where('member_id', '=', eve.id).execute();
    await agent.messenger.send({ conversationId, payload: text('for Ada again') });
    await until(() => expect(words(device)).toEqual(['for Ada', 'for Ada again']));
  });

  /** Puts another list in the place of the one that the account has signed. */
  async function showList(accountId: string, statements: readonly DeviceStatement[]): Promise<void> {
    const { db } = server.platform;
    await db.deleteFrom('device_statements').where('account_id', '=', accountId).execute();
    const rows = statements.map((statement) => ({
      account_id: accountId,
      seq: statement.seq,
      hash: deviceStatementHash(statement),
      statement: JSON.stringify(statement),
    }));
    await db.insertInto('device_statements').values(rows).execute();
  }

  test('attack: of an account whose list was swapped are neither written to nor heard', async () => {
    const { ada, device, agent, conversationId } = await introduce();
    await agent.messenger.send({ conversationId, payload: text('before') });
    await until(() => expect(words(device)).toEqual(['before']));
    const thief = new SignedAccount(ada.id);
    thief.create(SignedAccount.makeDevice());
    await showList(ada.id, thief.statements);
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await expect(agent.messenger.send({ conversationId, payload: text('after') })).rejects.toMatchObject({
      code: 'IDENTITY_CHANGED',
    });
    const party = { kind: 'account', id: ada.id };
    expect(agent.problems).toMatchObject([{ kind: 'identity_changed', party, offered: thief.publicKey }]);
    await showList(ada.id, ada.signed.statements);
    agent.messenger.refresh(party as { kind: 'account'; id: string });
    await agent.messenger.send({ conversationId, payload: text('to the true one') });
    await until(() => expect(words(device)).toEqual(['before', 'to the true one']));
  });

  test('are followed to a new account key over the signature of the old one', async () => {
    const { ada, device, agent, conversationId } = await introduce();
    await agent.messenger.send({ conversationId, payload: text('before') });
    await device.api.call(deviceRoutes.appendDeviceStatement, { body: { statement: ada.signed.rotate() } });
    const second = cast.add(await startDevice(server, ada));
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await agent.messenger.send({ conversationId, payload: text('to the new') });
    await until(() => expect(words(second)).toContain('to the new'));
    expect(await agent.messenger.trust.account(ada.id)).toMatchObject({ ok: true, key: ada.signed.publicKey });
    expect(agent.problems).toEqual([]);
  });

  test('attack: one that was revoked and that the server lets in again gets nothing, and is not heard', async () => {
    const { ada, device, agent, conversationId } = await introduce();
    const phone = cast.add(await startDevice(server, ada));
    await until(() => expect(agent.events.map(({ type }) => type)).toContain('account.devices_changed'));
    await agent.messenger.send({ conversationId, payload: text('to both') });
    await until(() => expect(words(phone)).toContain('to both'));
    const before = ada.signed.statements;
    const statement = ada.signed.revoke({ ...SignedAccount.makeDevice(), deviceId: phone.deviceId });
    await device.api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await agent.messenger.send({ conversationId, payload: text('to one') });
    await until(() => expect(words(device)).toEqual(['to both', 'to one']));
    // The server goes back to before, and says that the device is as good as ever.
    await showList(ada.id, before);
    await server.platform.db
      .updateTable('devices')
      .set({ listed: true, revoked_at: null })
      .where('id', '=', phone.deviceId)
      .execute();
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await agent.messenger.send({ conversationId, payload: text('still to one') });
    await until(() => expect(words(device)).toEqual(['to both', 'to one', 'still to one']));
    expect(agent.problems).toContainEqual({ kind: 'device_list', accountId: ada.id, problem: 'shortened' });
    expect(words(phone)).toEqual(['to both']);
  });

  test('attack: with a second successor of one number nothing is sent any more, until the recovery key has settled it', async () => {
    const { ada, device, agent, conversationId } = await introduce();
    const keeper = [...ada.signed.keepers.values()][0]!;
    const thief = ada.signed.fork();
    await device.api.call(deviceRoutes.appendDeviceStatement, { body: { statement: ada.signed.rotate() } });
    await agent.messenger.send({ conversationId, payload: text('before') });
    thief.add(SignedAccount.makeDevice());
    await showList(ada.id, thief.statements);
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    const sending = { conversationId, payload: text('stopped') };
    await expect(agent.messenger.send(sending)).rejects.toMatchObject({ code: 'LIST_FORKED' });
    await showList(ada.id, ada.signed.statements);
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await expect(agent.messenger.send(sending)).rejects.toMatchObject({ code: 'LIST_FORKED' });
    const statement = ada.signed.recover([keeper]);
    await device.api.call(deviceRoutes.appendDeviceStatement, { body: { statement } });
    agent.messenger.refresh({ kind: 'account', id: ada.id });
    await agent.messenger.send({ conversationId, payload: text('settled') });
    await until(() => expect(words(device)).toEqual(['before', 'settled']));
  });
});

describe("EE-9 an agent's key", () => {
  test('that changed blocks both directions until it is accepted', async () => {
    const { device, agent, account, conversationId } = await introduce();
    await agent.messenger.send({ conversationId, payload: text('before') });
    await until(() => expect(words(device)).toEqual(['before']));
    await agent.messenger.close();
    await expect(startAgent(server, account)).rejects.toMatchObject({ code: 'KEYSTORE_MISMATCH' });
    const impostor = cast.add(await startAgent(server, account, { replaceIdentity: true }));
    await impostor.messenger.send({ conversationId, payload: text('trust me') });
    await until(() => expect(device.problems.map(({ kind }) => kind)).toContain('undecryptable'));
    const changed = device.problems.find((problem) => problem.kind === 'identity_changed')!;
    expect(changed).toMatchObject({ party: { kind: 'agent', id: account.agentId } });
    expect(words(device)).toEqual(['before']);
    const answer = { conversationId, payload: text('who are you?') };
    await expect(device.messenger.send(answer)).rejects.toMatchObject({ code: 'IDENTITY_CHANGED' });
    await device.messenger.trust.accept(
      { kind: 'agent', id: account.agentId },
      (changed as { offered: string }).offered,
    );
    await device.messenger.send(answer);
    await until(() => expect(words(impostor)).toEqual(['who are you?']));
    await impostor.messenger.send({ conversationId, payload: text('a friend') });
    await until(() => expect(words(device)).toEqual(['before', 'a friend']));
  });

  test('is compared with the fingerprint of a link before it is pinned', async () => {
    const { ada, account, agent } = await introduce();
    const other = cast.add(await startDevice(server, ada));
    const wrong = keyFingerprint(nodeCrypto, { id: account.agentId, key: generateEd25519(nodeCrypto).publicKey });
    const { trust } = other.messenger;
    expect(await trust.agent(account.agentId, { fingerprint: wrong })).toMatchObject({
      ok: false,
      problem: 'fingerprint',
    });
    const first = await trust.agent(account.agentId);
    expect(first).toMatchObject({ ok: true, verified: false, mode: 'websocket' });
    const { fingerprint } = first as { fingerprint: string };
    expect(await trust.agent(account.agentId, { fingerprint })).toMatchObject({ ok: true, verified: true });
    const number = await trust.safetyNumber({ kind: 'agent', id: account.agentId });
    expect(number).toMatch(/^\d{60}$/);
    await agent.messenger.trust.account(ada.id);
    expect(await agent.messenger.trust.safetyNumber({ kind: 'account', id: ada.id })).toBe(number);
  });
});

describe('EE-7 a weaker mode', () => {
  test('is not written to until it is agreed to', async () => {
    const disk = new Disk();
    const { device, agent, account, conversationId } = await introduce({ store: disk.open() });
    await agent.messenger.send({ conversationId, payload: text('strong') });
    await until(() => expect(words(device)).toEqual(['strong']));
    await agent.messenger.close();
    const weak = cast.add(await startAgent(server, account, { store: disk.open(), mode: 'webhook' }));
    // The server announces it; one that does not is found out by the first message.
    await weak.messenger.send({ conversationId, payload: text('weak') });
    await until(() => expect(device.problems.map(({ kind }) => kind)).toContain('undecryptable'));
    await expect(device.messenger.send({ conversationId, payload: text('?') })).rejects.toMatchObject({
      code: 'WEAKER_MODE',
    });
    expect(device.problems[0]).toMatchObject({ kind: 'weaker_mode', known: 'websocket', offered: 'webhook' });
    const { key } = (await device.messenger.trust.agent(account.agentId)) as { key: string };
    await device.messenger.trust.accept({ kind: 'agent', id: account.agentId }, key);
    await weak.messenger.send({ conversationId, payload: text('agreed') });
    await until(() => expect(words(device)).toEqual(['strong', 'agreed']));
  });
});

/** The first device of an account signs. */
function signerOf({ id, signed }: Account) {
  const [{ deviceId, identity }] = [...signed.keepers.values()] as [NonNullable<ReturnType<typeof signed.keepers.get>>];
  return { by: { kind: 'human' as const, id, device_id: deviceId }, identity };
}

async function startGroup({ api }: Party, owner: Account, others: readonly Account[]): Promise<SignedGroup> {
  const group = new SignedGroup();
  const members = others.map(({ id }) => ({ kind: 'human' as const, id }));
  await befriend(server, owner.id, ...others.map(({ id }) => id));
  const roled = members.map((member) => ({ ...member, role: 'member' as const }));
  const statement = group.sign(signerOf(owner), { action: 'create', title: 'Ours', members: roled });
  await api.call(conversationRoutes.startConversation, {
    body: { kind: 'group', title: 'Ours', members, conversation_id: group.conversationId, statement },
  });
  return group;
}

describe('EE-20 a group', () => {
  test('attack: a ghost member whom the server inserts gets no key, and is told', async () => {
    const [ada, bob, eve] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
    const [here, there, ghost] = await Promise.all([ada, bob, eve].map((one) => startDevice(server, one)));
    for (const party of [here!, there!, ghost!]) cast.add(party);
    const { conversationId } = await startGroup(here!, ada, [bob]);
    await here!.messenger.send({ conversationId, payload: text('before') });
    await until(() => expect(words(there!)).toEqual(['before']));
    await server.platform.db
      .insertInto('members')
      .values({
        conversation_id: conversationId,
        member_kind: 'human',
        member_id: eve.id,
        role: 'member',
        joined_seq: 0,
      })
      .execute();
    for (const { messenger } of [here!, there!]) messenger.refresh({ kind: 'conversation', id: conversationId });
    await here!.messenger.send({ conversationId, payload: text('for Bob') });
    await there!.messenger.send({ conversationId, payload: text('for Ada') });
    await until(() => expect(words(there!)).toEqual(['before', 'for Bob']));
    await until(() => expect(words(here!)).toEqual(['for Ada']));
    const problem = { kind: 'members', conversationId, strangers: [{ kind: 'human', id: eve.id }] };
    for (const { problems } of [here!, there!]) expect(problems).toContainEqual(problem);
    // She sees that there are messages, and can open none; what she says is not heard.
    await until(() => expect(ghost!.problems.map(({ kind }) => kind)).toContain('undecryptable'));
    expect(words(ghost!)).toEqual([]);
    await ghost!.messenger.send({ conversationId, payload: text('me, too') }).catch(() => {});
    await here!.messenger.send({ conversationId, payload: text('once more') });
    await until(() => expect(words(there!)).toEqual(['before', 'for Bob', 'once more']));
    expect(words(here!)).toEqual(['for Ada']);
  });

  test('that nobody has signed carries nothing', async () => {
    const [ada, bob] = await Promise.all([signUp(server), signUp(server)]);
    const here = cast.add(await startDevice(server, ada));
    await befriend(server, ada.id, bob.id);
    const { conversation_id: conversationId } = await here.api.call(conversationRoutes.startConversation, {
      body: { kind: 'group', title: 'Plain', members: [{ kind: 'human', id: bob.id }] },
    });
    await expect(here.messenger.send({ conversationId, payload: text('?') })).rejects.toMatchObject({
      code: 'GROUP_UNSIGNED',
    });
  });
});

describe('EE-12 a group', () => {
  test('has a new key when someone was removed, whom later messages do not reach', async () => {
    const [ada, bob, eve] = await Promise.all([signUp(server), signUp(server), signUp(server)]);
    const rig = new Rig();
    const envelopes = watch(rig);
    const [here, there, gone] = await Promise.all([
      startDevice(server, ada, { platform: rig.platform }),
      startDevice(server, bob),
      startDevice(server, eve),
    ]);
    for (const party of [here, there, gone]) cast.add(party);
    const group = await startGroup(here, ada, [bob, eve]);
    const { conversationId } = group;
    await here.messenger.send({ conversationId, payload: text('to three') });
    await here.messenger.send({ conversationId, payload: text('again') });
    await until(() => expect(words(gone)).toEqual(['to three', 'again']));
    await there.messenger.send({ conversationId, payload: text('under the same key') });
    await until(() => expect(words(here)).toEqual(['under the same key']));
    const statement = group.sign(signerOf(ada), { action: 'remove', member: { kind: 'human', id: eve.id } });
    await here.api.call(conversationRoutes.removeMember, {
      params: { conversation_id: conversationId, member_id: eve.id },
      body: { statement },
    });
    await until(() => expect(here.events.map(({ type }) => type)).toContain('conversation.members_changed'));
    await here.messenger.send({ conversationId, payload: text('to two') });
    await until(() => expect(words(there)).toEqual(['to three', 'again', 'to two']));
    const groupKeys = envelopes.map(({ wraps }) => wraps.find(({ kind }) => kind === 'group')?.key);
    expect(groupKeys[1]).toBe(groupKeys[0]);
    expect(groupKeys[2]).not.toBe(groupKeys[0]);
    expect(envelopes.map(({ wraps }) => wraps.length)).toEqual([3, 1, 2]);
    expect(words(gone)).not.toContain('to two');
  });
});

describe('TC-6 a tool call hidden under another label', () => {
  test('is never delivered, and is acknowledged', async () => {
    const rig = new Rig();
    const { device, agent, conversationId } = await introduce({ platform: rig.platform });
    const hidden = JSON.stringify({
      type: 'artifact',
      artifact: {
        subtype: 'tool_call',
        call_id: 'c',
        tool_name: 'read_file',
        arguments: {},
        permission_scope: 'filesystem:read',
        timeout_ms: 1_000,
      },
    });
    rig.crypto = {
      ...nodeCrypto,
      encrypt: (plaintext, sealing) => {
        const isText = new TextDecoder().decode(plaintext).includes('swap me');
        return nodeCrypto.encrypt(isText ? new TextEncoder().encode(hidden) : plaintext, sealing);
      },
    };
    await agent.messenger.send({ conversationId, payload: text('swap me') });
    await agent.messenger.send({ conversationId, payload: text('plain') });
    await until(() => expect(words(device)).toEqual(['plain']));
    expect(device.problems).toMatchObject([{ kind: 'undecryptable', reason: 'payload', seq: 1 }]);
  });
});
