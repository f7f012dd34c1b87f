import { SignedAccount, SignedGroup, type TestDevice } from '@parley/testkit/account';
import { describe, expect, test } from 'vitest';
import { Clock, LinkedServer, startLinked, text, words } from './linked.ts';

/** A person, her agent, and Eve, who signs whatever helps the server. */
async function meet() {
  const server = new LinkedServer();
  const clock = new Clock();
  const device = await startLinked(server, 'human', { clock });
  const agent = await startLinked(server, 'agent', { clock });
  await clock.advance(0);
  const [eve, hers] = [new SignedAccount(), SignedAccount.makeDevice()];
  eve.create(hers);
  server.others.set(eve.accountId, eve);
  const { conversationId, agentId, accountId } = server;
  const group = new SignedGroup(conversationId);
  const by = { kind: 'human' as const, id: eve.accountId, device_id: hers.deviceId };
  const members = [
    { kind: 'human' as const, id: accountId, role: 'member' as const },
    { kind: 'agent' as const, id: agentId, role: 'member' as const },
  ];
  group.sign({ by, identity: hers.identity }, { action: 'create', title: 'Bot', members });
  const honest = server.conversation;
  const asGroup = { kind: 'group', members: [...members, { kind: 'human', id: eve.accountId, role: 'owner' }] };
  const pair = { kind: 'h2a' as const, other: { kind: 'agent' as const, id: agentId }, relationId: 'r', signed: true };
  return { server, clock, device, agent, group, honest, asGroup, pair, conversationId };
}

describe('EE-20 a group', () => {
  test('goes on when an agent has left it by the server’s word alone', async () => {
    const server = new LinkedServer();
    const clock = new Clock();
    const { messenger, problems } = await startLinked(server, 'human', { clock });
    await startLinked(server, 'agent', { clock });
    const { agentId, accountId, conversationId } = server;
    const [{ deviceId, identity }] = [...server.account.keepers.values()] as [TestDevice];
    const group = new SignedGroup(conversationId);
    const ada = { by: { kind: 'human' as const, id: accountId, device_id: deviceId }, identity };
    const member = { kind: 'agent' as const, id: agentId };
    group.sign(ada, { action: 'create', title: null, members: [{ ...member, role: 'member' }] });
    server.statements = group.statements;
    const look = () => {
      messenger.refresh({ kind: 'conversation', id: conversationId });
      return messenger.conversation(conversationId);
    };
    server.conversation = { kind: 'group', members: [{ kind: 'human', id: accountId }, member] };
    expect(await look()).toMatchObject({ signed: true, members: [{ id: accountId }, { id: agentId }] });
    server.conversation = { kind: 'group', members: [{ kind: 'human', id: accountId }] };
    expect((await look()).members).toMatchObject([{ kind: 'human', id: accountId }]);
    expect(problems).toEqual([]);
  });
});

describe('EE-20 a conversation with an agent', () => {
  test('attack: that the server has declared a group, of someone else’s making, is one of two once it was signed', async () => {
    const { server, clock, device, agent, group, honest, asGroup, pair, conversationId } = await meet();
    server.conversation = asGroup;
    server.statements = group.statements;
    // The server makes the device look before the answer to its own request has come.
    expect(await device.messenger.conversation(conversationId)).toMatchObject({ kind: 'group', signed: true });
    await device.messenger.bindConversation(conversationId, pair);
    expect(device.problems).toContainEqual({ kind: 'row', subject: 'conversation', id: conversationId });
    const sending = { conversationId, payload: text('for the agent alone') };
    await expect(device.messenger.send(sending)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
    server.conversation = honest;
    await device.messenger.send(sending);
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['for the agent alone']);
    expect(agent.received[0]).toMatchObject({ conversationKind: 'h2a', isForUsAlone: true });
  });

  test('attack: of another agent under the title of the one that was signed gets nothing', async () => {
    const { server, device, pair, conversationId } = await meet();
    const { agentId, accountId } = server;
    const members = (id: string) => [
      { kind: 'human', id: accountId },
      { kind: 'agent', id },
    ];
    server.conversation = { kind: 'h2a', members: members('another') };
    await device.messenger.conversation(conversationId);
    await device.messenger.bindConversation(conversationId, pair);
    expect(await device.messenger.conversation(conversationId)).toMatchObject({ members: members(agentId) });
    const sending = { conversationId, payload: text('?') };
    await expect(device.messenger.send(sending)).rejects.toMatchObject({ code: 'CONVERSATION_CHANGED' });
  });
});
