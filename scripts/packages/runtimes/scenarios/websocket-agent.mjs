import { HasheeAgent } from '@parley/agent';
import { answerMessages } from './answer.mjs';

const agent = await HasheeAgent.init({
  agentId: process.env.PARLEY_AGENT_ID,
  token: process.env.PARLEY_AGENT_TOKEN,
  baseUrl: process.env.PARLEY_URL,
  connectionMode: 'websocket',
  onError: (error) => console.error(error),
});
answerMessages(agent);
console.log(JSON.stringify({ ready: true }));
