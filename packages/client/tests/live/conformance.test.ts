import { CLIENT_CASES, type ConnectClient } from '@parley/testkit/conformance';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, nextPrompt, type Ran, signUp } from './rig.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.drop());

/** The headless client, as the kit wants to drive it. */
const connect: ConnectClient = async ({ executors }) => {
  const ran: Ran[] = [];
  const { client, device } = await signUp(server, {
    executors: executors.map(({ tool, scope }) => ({
      tool,
      scope,
      run: async (args) => {
        ran.push({ tool, args });
        return { said: args.text ?? null };
      },
    })),
  });
  const relations = new Map<string, string>();
  return {
    add: async (agentId, scopes) => {
      const { conversationId, relationId } = await addAgent(device, agentId, scopes);
      relations.set(agentId, relationId);
      return { conversationId };
    },
    revoke: (agentId, scope) => device.relations.revokeScope(relations.get(agentId)!, scope),
    answer: async (decision) => (await nextPrompt(device))[decision](),
    questions: () => device.prompts.getSnapshot().length,
    startGroup: (agentId) => device.conversations.startGroup('Friends', [{ kind: 'agent', id: agentId }]),
    executed: () => ran,
    close: () => client.close(),
  };
};

describe('CG-9 the client conforms', () => {
  it.each(CLIENT_CASES.map(({ title, run }) => [title, run] as const))('CG-9 %s', async (_, run) => {
    await expect(run({ url: server.url, connect })).resolves.toBeUndefined();
  });
});
