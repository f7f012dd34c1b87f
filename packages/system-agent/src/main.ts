import { startHashee } from './hashee.ts';
import { findModel } from './model.ts';

const { PARLEY_URL: baseUrl = '', PARLEY_AGENT_ID: agentId = '', PARLEY_AGENT_TOKEN: token = '' } = process.env;
if (!baseUrl || !agentId || !token) {
  process.stderr.write('Set PARLEY_URL, PARLEY_AGENT_ID and PARLEY_AGENT_TOKEN. A server starts Hashee by itself.\n');
  process.exit(2);
}
const model = findModel(process.env);
// Set by the server that it belongs to, where its keystore is lost.
const replaceIdentity = process.env.PARLEY_REPLACE_IDENTITY === 'true';
// Killed while this starts, that server is gone before there is anything to disconnect; a keystore must not stay in use.
const quit = () => process.exit();
if (process.connected === false) quit();
process.once('disconnect', quit);
const onError = (error: unknown) => process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
const hashee = await startHashee({
  baseUrl,
  agentId,
  token,
  replaceIdentity,
  onError,
  ...(model === undefined ? {} : { model }),
});
hashee.addStatusHandler((status) => process.stdout.write(`Hashee: ${status}\n`));
// The channel to the server that started it would keep the process alive.
const leave = () => {
  void hashee.disconnect().finally(() => process.connected && process.disconnect());
};
// If a server started it, it ends with that server.
process.off('disconnect', quit).once('disconnect', leave);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, leave);
