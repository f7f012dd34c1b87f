import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAgent, type Party, relate, signUp, startAgent, startDevice, text } from './parties.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => server.drop());
const open: Party[] = [];
const opened = <P extends Party>(party: P): P => {
  open.push(party);
  return party;
};
afterAll(async () => {
  await Promise.all(open.map(({ messenger }) => messenger.close()));
});

describe('TR-3 a message', () => {
  test('goes from an agent to a device and back, each once and in order', async () => {
    const ada = await signUp(server);
    const device = opened(await startDevice(server, ada));
    const account = await createAgent(device.api);
    const conversationId = await relate(device.api, account.agentId);
    const agent = opened(await startAgent(server, account));
    const acks = await Promise.all(
      ['one', 'two', 'three'].map((words) => agent.messenger.send({ conversationId, payload: text(words) })),
    );
    expect(acks.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await vi.waitFor(
      () => expect(device.received.map(({ payload }) => payload)).toEqual(['one', 'two', 'three'].map(text)),
      10_000,
    );
    await device.messenger.send({ conversationId, payload: text('back') });
    await vi.waitFor(() => expect(agent.received.map(({ payload }) => payload)).toEqual([text('back')]), 10_000);
    expect(device.received[0]).toMatchObject({
      conversationKind: 'h2a',
      sender: { kind: 'agent', id: account.agentId },
    });
    expect([...device.problems, ...agent.problems]).toEqual([]);
  });
});
