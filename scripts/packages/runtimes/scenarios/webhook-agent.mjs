import { createServer } from 'node:http';
import { HasheeAgent } from '@parley/agent';
import { createWebhookHandler, toNodeHandler } from '@parley/agent/webhook';
import { answerMessages } from './answer.mjs';

const agent = await HasheeAgent.init({
  agentId: process.env.PARLEY_AGENT_ID,
  token: process.env.PARLEY_AGENT_TOKEN,
  baseUrl: process.env.PARLEY_URL,
  connectionMode: 'webhook',
  webhookSecret: process.env.WEBHOOK_SECRET,
  onError: (error) => console.error(error),
});
answerMessages(agent);
const handler = createWebhookHandler(agent);
const listening = ({ port }) => console.log(JSON.stringify({ ready: true, port }));
const here = { hostname: '127.0.0.1', port: 0 };

if (globalThis.Bun) listening(Bun.serve({ ...here, fetch: handler }));
else if (globalThis.Deno) Deno.serve({ ...here, onListen: listening }, handler);
else {
  const answer = toNodeHandler(handler);
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, here.hostname, () => listening(server.address()));
}
