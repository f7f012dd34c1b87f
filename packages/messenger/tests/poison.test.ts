import { createHash } from 'node:crypto';
import type { Crypto } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import type { Payload } from '@parley/protocol';
import { SignedAccount } from '@parley/testkit/account';
import { describe, expect, test } from 'vitest';
import { Clock, LinkedServer, startLinked, text, words } from './linked.ts';

/** Seals other bytes than it was given, wherever they hold the word POISON: no honest messenger would. */
function poisoned(content: string): Crypto {
  const encrypt: Crypto['encrypt'] = (plaintext, sealing) => {
    const isPoison = Buffer.from(plaintext).includes('POISON');
    return nodeCrypto.encrypt(isPoison ? Buffer.from(content) : plaintext, sealing);
  };
  return { ...nodeCrypto, encrypt };
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const call = (args: object): Payload => ({
  type: 'artifact',
  artifact: {
    subtype: 'tool_call',
    call_id: 'call-1',
    tool_name: 'read_file',
    arguments: args as never,
    permission_scope: 'filesystem:read',
    timeout_ms: 1_000,
  },
});

async function meet(rogue: 'human' | 'agent', content: string) {
  const server = new LinkedServer();
  const clock = new Clock();
  const crypto = poisoned(content);
  const device = await startLinked(server, 'human', { clock, ...(rogue === 'human' ? { crypto } : {}) });
  const agent = await startLinked(server, 'agent', { clock, ...(rogue === 'agent' ? { crypto } : {}) });
  await clock.advance(0);
  const { conversationId } = server;
  const send = (from: typeof agent, payload: Payload) => from.messenger.send({ conversationId, payload });
  const acknowledged = () =>
    server.wires.map(({ sent }) => Math.max(0, ...sent.flatMap((frame) => (frame.type === 'ack' ? frame.seq : []))));
  return { server, clock, device, agent, send, acknowledged };
}

describe('EE-26 attack: one user stalls an agent for everyone', () => {
  const deep = `{"type":"text","text":"x","more":${nested(30_000)}}`;

  test('with a payload nested 30,000 deep: the others of its batch are kept, handled and acknowledged, and it is told', async () => {
    const { clock, device, agent, send, acknowledged } = await meet('human', deep);
    for (const word of ['one', 'POISON', 'two']) await send(device, text(word));
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['one', 'two']);
    expect(agent.problems).toMatchObject([{ kind: 'undecryptable', seq: 2, reason: 'payload' }]);
    expect(Math.max(...acknowledged())).toBe(3);
    await send(device, text('three'));
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['one', 'two', 'three']);
    expect(Math.max(...acknowledged())).toBe(4);
  });

  test('at the very limit it is a message like any other, and one level more cannot be sent', async () => {
    const { clock, device, agent, send } = await meet('human', '');
    const more = (depth: number) => ({ ...text('x'), more: JSON.parse(nested(depth)) }) as Payload;
    await send(device, more(63));
    await expect(send(device, more(64))).rejects.toThrow('text: nested deeper than 64 levels');
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['x']);
  });
});

describe('CG-16 a call whose arguments cannot be held', () => {
  test.each([
    ['nesting', `{"path":${nested(70)}}`],
    ['canonical_form', '{"path":"\\ud800"}'],
    ['canonical_form', '{"\\udfff":1}'],
    ['canonical_form', '{"size":1e999}'],
  ])('reaches the device without them, with a digest of the received bytes: %s, %#', async (problem, args) => {
    const content = JSON.stringify(call({})).replace('"arguments":{}', `"arguments":${args}`);
    const { clock, device, agent, send } = await meet('agent', content);
    await send(agent, call({ path: 'POISON' }));
    await clock.advance(1_000);
    const digest = createHash('sha256').update(content).digest('hex');
    expect(device.received).toMatchObject([{ payload: call({}), unusableArguments: { problem, digest } }]);
    expect(device.problems).toEqual([]);
  });

  test('of which not even the id can be read is told as a message that does not open', async () => {
    const content = JSON.stringify(call({})).replace('"call-1"', '"\\ud800"');
    const { clock, device, agent, send } = await meet('agent', content);
    await send(agent, call({ path: 'POISON' }));
    await clock.advance(1_000);
    expect(device.received).toEqual([]);
    expect(device.problems).toMatchObject([{ kind: 'undecryptable', reason: 'payload' }]);
  });
});

describe('EE-22 attack: replay after reset', () => {
  test('an unsigned envelope under the same device id of another account does not make an order be handled twice', async () => {
    const { server, clock, device, agent, send } = await meet('human', '');
    const { deviceId } = [...server.account.keepers.values()][0]!;
    // One-time prekeys are withheld, so the first message could begin its session again.
    server.owners.get(server.agentId)!.oneTime = [];
    await send(device, text('pay 10'));
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['pay 10']);
    const [order] = server.envelopes();

    const [eve, hers] = [new SignedAccount(), { ...SignedAccount.makeDevice(), deviceId }];
    eve.create(hers);
    server.others.set(eve.accountId, eve);
    server.guests.push(hers);
    const honest = server.conversation;
    const elsewhere = crypto.randomUUID();
    server.conversation = {
      kind: 'h2a',
      members: [
        { kind: 'human', id: eve.accountId },
        { kind: 'agent', id: server.agentId },
      ],
    };
    const sender = { kind: 'human' as const, id: eve.accountId, device_id: deviceId };
    const header = { ...order!.header, sender, conversation_id: elsewhere };
    server.forge(server.agentId, { ...order!, header }, 1);
    await clock.advance(1_000);
    expect(agent.problems).toMatchObject([{ kind: 'undecryptable', reason: 'signature' }]);

    server.conversation = honest;
    server.forge(server.agentId, order!, 9);
    await send(device, text('and a second one'));
    await clock.advance(1_000);
    expect(words(agent)).toEqual(['pay 10', 'and a second one']);
  });
});
