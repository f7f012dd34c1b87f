import { startDemoBot } from './demo-bot.ts';

const { PARLEY_URL: baseUrl = '', PARLEY_AGENT_ID: agentId = '', PARLEY_AGENT_TOKEN: token = '' } = process.env;
if (!baseUrl || !agentId || !token) {
  process.stderr.write('Set PARLEY_URL, PARLEY_AGENT_ID and PARLEY_AGENT_TOKEN; README.md says how.\n');
  process.exit(2);
}
// Set by the server that it belongs to, where its keystore is lost.
const replaceIdentity = process.env.PARLEY_REPLACE_IDENTITY === 'true';
// Killed while this starts, that server is gone before there is anything to disconnect; a keystore must not stay in use.
const quit = () => process.exit();
if (process.connected === false) quit();
process.once('disconnect', quit);
const onError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
const bot = await startDemoBot({ baseUrl, agentId, token, replaceIdentity, onError });
bot.addStatusHandler((status) => process.stdout.write(`DemoBot: ${status}\n`));
// The channel to the server that started it would keep the process alive.
const leave = () => {
  void bot.disconnect().finally(() => process.connected && process.disconnect());
};
// If a server started this process, it ends with the server.
process.off('disconnect', quit).once('disconnect', leave);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
