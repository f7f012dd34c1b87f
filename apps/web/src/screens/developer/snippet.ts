/** The program of an agent that answers what it is told. Everything that is of one agent is in its settings. */
export const PROGRAM = `import { HasheeAgent } from '@parley/agent';

const agent = await HasheeAgent.init({
  agentId: process.env.PARLEY_AGENT_ID,
  token: process.env.PARLEY_AGENT_TOKEN,
  baseUrl: process.env.PARLEY_URL,
  connectionMode: 'websocket',
  onError: console.error,
});
agent.addStatusHandler(console.log);
agent.addMessageHandler(({ conversation_id: id, payload }) =>
  agent.send(id, { type: 'text', text: \`You said: \${payload.text}\` }),
);
`;

/** Node reads it, so that the token is in no command line, which other programs and the shell's history see. */
export const writeSettings = ({ url, agentId }: { readonly url: string; readonly agentId: string }): string =>
  `PARLEY_URL=${url}\nPARLEY_AGENT_ID=${agentId}\nPARLEY_AGENT_TOKEN=\n`;

export const COMMANDS = `npm init -y
npm i @parley/agent
node --env-file=.env agent.mjs
`;
