// A provider to be killed: tells the test on standard output what its handler does.
import { serveSkill } from '@parley/skills/provider';
import { createPostgresStore, listen } from '@parley/skills/provider/node';

const { url, descriptor, attempts, leaseMs } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

/** Goes on when the test says so: the input `hold` is kept until standard input has something. */
const released = new Promise((resolve) => process.stdin.once('data', resolve));

const handler = async ({ text }, { executionId, attempt, signal, progress }) => {
  say(`begun ${executionId} ${attempt}`);
  progress(0.5, 'half');
  if (text === 'hold')
    await Promise.race([released, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
  say(`done ${executionId} ${attempt}`);
  return { words: attempt };
};

const skill = await serveSkill(descriptor, handler, {
  store: createPostgresStore({ url, attempts, leaseMs, concurrency: 4, graceMs: 100 }),
  callsPerMinute: 1_000_000,
});
const server = await listen(skill, { port: 0 });
say(`url ${server.url}`);
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
