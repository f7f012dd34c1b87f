import { createApi } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, type Bot, nextPrompt, type Person, signUp, startBot } from './rig.ts';

let server: TestServer;
let person: Person;
let bot: Bot;
let conversationId: string;

async function ownerApi() {
  const reply = await server.call('POST', '/auth/register', {
    body: { email: 'owner@example.org', account_password: 'correct horse battery', display_name: 'Owner' },
  });
  const credentials = { kind: 'session', accessToken: reply.body.access_token } as const;
  return createApi({ baseUrl: server.url, platform: createNodePlatform(), credentials });
}

beforeAll(async () => {
  server = await startTestServer();
  person = await signUp(server);
  bot = await startBot(server, await ownerApi());
  ({ conversationId } = await addAgent(person.device, bot.agentId));
});
afterAll(async () => {
  await person?.client.close();
  await bot?.messenger.close();
  await server?.drop();
});

describe('every row of the status table, over the socket', () => {
  it('TC-4 ok: a low tool runs without a question and the result comes back', async () => {
    const answer = await bot.call(conversationId, { tool_name: 'say_low', arguments: { text: 'hi' } });
    expect(answer).toMatchObject({ status: 'ok', result: { said: 'hi' } });
    expect(person.ran.at(-1)).toEqual({ tool: 'say_low', args: { text: 'hi' } });
  });

  it('CG-6 ok: a medium tool is asked about once, then silent', async () => {
    const first = bot.call(conversationId, { tool_name: 'say_medium' });
    const prompt = await nextPrompt(person.device);
    expect(prompt).toMatchObject({ level: 'medium', agentName: 'Bot', canAlwaysDeny: false });
    prompt.allow();
    expect(await first).toMatchObject({ status: 'ok' });
    expect(await bot.call(conversationId, { tool_name: 'say_medium' })).toMatchObject({ status: 'ok' });
    expect(person.device.remembered.getSnapshot().windows).toHaveLength(1);
  });
});
