import { startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Cast, createAgent, Disk, relate, signUp, startAgent, startDevice, text, words } from './parties.ts';
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

describe('TR-3 a message', () => {
  test('goes from an agent to a device and back, each once and in order', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const agent = cast.add(await startAgent(server, account));
    const sends = ['one', 'two', 'three'].map((word) => agent.messenger.send({ conversationId, payload: text(word) }));
    const acks = await Promise.all(sends);
    expect(acks.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await until(() => expect(words(device)).toEqual(['one', 'two', 'three']));
    await device.messenger.send({ conversationId, payload: text('back') });
    await until(() => expect(words(agent)).toEqual(['back']));
    expect(device.received[0]).toMatchObject({
      conversationKind: 'h2a',
      sender: { kind: 'agent', id: account.agentId },
    });
    expect([...device.problems, ...agent.problems]).toEqual([]);
  });

  test('of the same clientMessageId is the same message, also after it was acknowledged', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const agent = cast.add(await startAgent(server, account));
    const message = { conversationId, payload: text('once'), clientMessageId: 'answer-1' };
    const [first, second] = await Promise.all([agent.messenger.send(message), agent.messenger.send(message)]);
    const third = await agent.messenger.send(message);
    expect([second, third]).toEqual([first, first]);
    await agent.messenger.send({ conversationId, payload: text('next') });
    await until(() => expect(words(device)).toEqual(['once', 'next']));
  });

  test('delivered twice is handled once (EE-11, a replay)', async () => {
    const rig = new Rig();
    rig.incoming = (frame) => (typeOf(frame) === 'message.new' ? [frame, frame] : [frame]);
    const { device, account, conversationId } = await cast.introduce(server, { platform: rig.platform });
    const agent = cast.add(await startAgent(server, account));
    await agent.messenger.send({ conversationId, payload: text('once') });
    await agent.messenger.send({ conversationId, payload: text('twice') });
    await until(() => expect(words(device)).toEqual(['once', 'twice']));
    rig.cut();
    await agent.messenger.send({ conversationId, payload: text('thrice') });
    await until(() => expect(words(device)).toEqual(['once', 'twice', 'thrice']));
    expect(device.problems).toEqual([]);
  });

  test('over the limit of tool calls is refused with the time to wait (TC-7)', async () => {
    const { account, conversationId } = await cast.introduce(server);
    const agent = cast.add(await startAgent(server, account));
    const call = (id: number) =>
      agent.messenger.send({
        conversationId,
        payload: {
          type: 'artifact',
          artifact: {
            subtype: 'tool_call',
            call_id: `call-${id}`,
            tool_name: 'read_file',
            arguments: {},
            permission_scope: 'filesystem:read',
            timeout_ms: 1_000,
          },
        },
      });
    const results = await Promise.allSettled(Array.from({ length: 61 }, (_, id) => call(id)));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(1);
    expect(refused[0]!.reason).toMatchObject({ code: 'RATE_LIMITED' });
    expect(refused[0]!.reason.retryAfterMs).toBeGreaterThan(0);
  });
});

describe('TR-2 a line that breaks', () => {
  test('loses nothing and repeats nothing, with messages under way in both directions', async () => {
    const [here, there] = [new Rig(), new Rig()];
    const { device, account, conversationId } = await cast.introduce(server, { platform: here.platform });
    const agent = cast.add(await startAgent(server, account, { platform: there.platform }));
    for (const rig of [here, there]) {
      let frames = 0;
      rig.outgoing = (frame) => {
        if (typeOf(frame) !== 'send' || ![9, 40, 75].includes(++frames)) return true;
        rig.cut();
        return frames % 2 === 0;
      };
    }
    const numbers = Array.from({ length: 60 }, (_, index) => String(index));
    const sent = numbers.flatMap((number) =>
      [agent, device].map(({ messenger }) => messenger.send({ conversationId, payload: text(number) })),
    );
    await Promise.all(sent);
    await until(() => expect(words(device)).toEqual(numbers));
    await until(() => expect(words(agent)).toEqual(numbers));
    expect(agent.statuses.filter((status) => status === 'online').length).toBeGreaterThan(1);
  });

  test('sends what was never acknowledged after a restart, once', async () => {
    const { device, account, conversationId } = await cast.introduce(server);
    const disk = new Disk();
    const rig = new Rig();
    const before = await startAgent(server, account, { store: disk.open(), platform: rig.platform });
    await before.messenger.send({ conversationId, payload: text('first') });
    // One is swallowed on its way, of the other only the acknowledgement is.
    rig.outgoing = (frame) => typeOf(frame) !== 'send' || !swallow;
    rig.incoming = (frame) => (typeOf(frame) === 'message.ack' ? [] : [frame]);
    let swallow = false;
    const stored = before.messenger.send({ conversationId, payload: text('stored') });
    await until(() => expect(words(device)).toContain('stored'));
    swallow = true;
    const lost = before.messenger.send({ conversationId, payload: text('lost'), clientMessageId: 'lost-1' });
    await until(() => expect([...disk.entries.keys()].filter((key) => key.startsWith('outbox/'))).toHaveLength(2));
    await Promise.all([
      before.messenger.close(),
      expect(stored).rejects.toMatchObject({ code: 'CLOSED' }),
      expect(lost).rejects.toMatchObject({ code: 'CLOSED' }),
    ]);
    const after = cast.add(await startAgent(server, account, { store: disk.open() }));
    const ack = await after.messenger.send({ conversationId, payload: text('lost'), clientMessageId: 'lost-1' });
    expect(ack.seq).toBe(3);
    await until(() => expect(words(device)).toEqual(['first', 'stored', 'lost']));
    await until(() => expect([...disk.entries.keys()].filter((key) => key.startsWith('outbox/'))).toEqual([]));
  });

  test('handles again what a crash left between saving and handling, and then no more', async () => {
    const ada = await signUp(server);
    const disk = new Disk();
    const started: string[] = [];
    const device = await startDevice(server, ada, {
      store: disk.open(),
      onMessage: (message) => {
        started.push(message.clientMessageId);
        return new Promise(() => {});
      },
    });
    const account = await createAgent(device.api);
    const conversationId = await relate(device.api, account.agentId);
    const agent = cast.add(await startAgent(server, account));
    await agent.messenger.send({ conversationId, payload: text('one'), clientMessageId: 'one' });
    await agent.messenger.send({ conversationId, payload: text('two'), clientMessageId: 'two' });
    await until(() => expect([...disk.entries.keys()].filter((key) => key.startsWith('inbox/'))).toHaveLength(2));
    expect(started).toEqual(['one']);
    // What is on disk at this moment is all that is left.
    const left = new Disk(disk.entries);
    await device.messenger.close();
    const again = cast.add(await startDevice(server, ada, { store: left.open() }));
    await until(() => expect(words(again)).toEqual(['one', 'two']));
    await until(() => expect([...left.entries.keys()].filter((key) => key.startsWith('inbox/'))).toEqual([]));
    await agent.messenger.send({ conversationId, payload: text('three') });
    await until(() => expect(words(again)).toEqual(['one', 'two', 'three']));
    expect(again.problems).toEqual([]);
  });
});
