// Agents and a person's device in one process, with everything that an agent may load.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { HasheeAgent } from '@parley/agent';
import { createWebhookHandler, toNodeHandler, WebhookAgent } from '@parley/agent/webhook';
import { evaluateCondition } from '@parley/documents/bundle';
import { createMemoryStore } from '@parley/messenger';
import { createPerson } from '../person.mjs';
import { answerMessages } from '../scenarios/answer.mjs';

for (const entry of [
  'agent/openai',
  'agent/anthropic',
  'agent/ai-sdk',
  'client/node',
  'client/browser',
  'client/guard',
]) {
  await import(`@parley/${entry}`);
}

const baseUrl = process.env.PARLEY_URL;
const person = await createPerson(baseUrl);
const quiet = { printed: () => '' };
const newAccount = async () => {
  const { agentId, env } = await person.createAgent();
  return { baseUrl, agentId, token: env.PARLEY_AGENT_TOKEN, keystore: createMemoryStore() };
};

const account = await newAccount();
const connected = await HasheeAgent.init({ ...account, connectionMode: 'websocket' });
answerMessages(connected);
const websocket = await person.converse(await person.add(account.agentId), quiet);
await connected.disconnect();

const called = await newAccount();
const secret = randomBytes(32).toString('hex');
const agent = await WebhookAgent.init({ ...called, webhookSecret: secret });
answerMessages(agent);
const answer = toNodeHandler(createWebhookHandler(agent));
const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
await person.putWebhook(called.agentId, { url: `http://127.0.0.1:${server.address().port}/`, secret });
const webhook = await person.converse(await person.add(called.agentId), quiet);
await agent.disconnect();

const condition = evaluateCondition('output.score > 1', { output: { score: 2 } });
await person.close();
server.close();
server.closeAllConnections();
console.log(JSON.stringify({ websocket, webhook, condition }));
