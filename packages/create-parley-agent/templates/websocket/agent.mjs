// @ts-check
import { HasheeAgent } from '@parley/agent';
import { answer } from './answer.mjs';
import { readSetting, stop } from './settings.mjs';
import { words } from './words.mjs';

const baseUrl = readSetting('PARLEY_URL');
const agent = await HasheeAgent.init({
  agentId: readSetting('PARLEY_AGENT_ID'),
  token: readSetting('PARLEY_AGENT_TOKEN'),
  baseUrl,
  connectionMode: 'websocket',
  onKeyGenerated: (fingerprint) => console.log(words.newKeys(fingerprint)),
  onError: (error) => console.error(error),
}).catch((error) => stop(words.notStarted(error.explain?.(words.locale) ?? error.message)));

// It connects, and connects again, by itself.
agent.addStatusHandler((status) => console.log(status === 'offline' ? words.offline(baseUrl) : status));

// Within a conversation, a message waits until the one before is answered.
agent.addMessageHandler(async (message) => {
  agent.typing(message.conversation_id);
  const text = await answer(agent, message).catch((error) => {
    console.error(error);
    return words.failed;
  });
  await agent.send(message.conversation_id, { type: 'text', text });
});

// Lets answers that are being written be sent. A second Ctrl-C ends it at once.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => agent.disconnect());
