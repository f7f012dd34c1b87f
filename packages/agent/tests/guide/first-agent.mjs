// biome-ignore-all lint/suspicious/noConsole: a newcomer has no logger yet
import { HasheeAgent, ToolError } from '@parley/agent';

const agent = await HasheeAgent.init({
  agentId: process.env.PARLEY_AGENT_ID,
  token: process.env.PARLEY_AGENT_TOKEN,
  baseUrl: process.env.PARLEY_URL,
  connectionMode: 'websocket',
  onError: console.error,
});
agent.addStatusHandler(console.log);
agent.addMessageHandler(async ({ conversation_id: id, payload }) => {
  const reply = (/** @type {string} */ text) => agent.send(id, { type: 'text', text });
  try {
    const page = /** @type {{ body: string }} */ (await agent.callTool(id, 'fetch_url', { url: payload.text }));
    await reply(`It says: ${page.body.slice(0, 200)}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    await reply(`Not done: ${error.reason}`);
  }
});
