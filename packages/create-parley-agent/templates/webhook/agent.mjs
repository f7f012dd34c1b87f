// @ts-check
import { HasheeAgent } from '@parley/agent';
import { createWebhookHandler } from '@parley/agent/webhook';
import { answer } from './answer.mjs';
import { readSetting, stop } from './settings.mjs';
import { words } from './words.mjs';

const agent = await HasheeAgent.init({
  agentId: readSetting('PARLEY_AGENT_ID'),
  token: readSetting('PARLEY_AGENT_TOKEN'),
  baseUrl: readSetting('PARLEY_URL'),
  connectionMode: 'webhook',
  webhookSecret: readSetting('PARLEY_WEBHOOK_SECRET'),
  onKeyGenerated: (fingerprint) => console.log(words.newKeys(fingerprint)),
  onError: (error) => console.error(error),
}).catch((error) => stop(words.notStarted(error.explain?.(words.locale) ?? error.message)));

// Within a conversation, a message waits until the one before is answered.
agent.addMessageHandler(async (message) => {
  const text = await answer(agent, message).catch((error) => {
    console.error(error);
    return words.failed;
  });
  await agent.send(message.conversation_id, { type: 'text', text });
});

// It checks the signature and answers at once; the handler above goes on after that.
const handle = createWebhookHandler(agent);

/** The form in which Bun and Deno serve a program; server.mjs does the same for Node. Deno takes the host from its flag. */
export default {
  hostname: process.env.HOST || '127.0.0.1',
  /** @param {Request} request */
  fetch: (request) => handle(request),
};

// Lets answers that are being written be sent. A second Ctrl-C ends it at once.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => agent.disconnect().finally(() => process.exit()));
}
