// A provider to be killed: tells the test on standard output what its handler does.
import { serveSkill } from '@parley/skills/provider';
import { createPostgresStore, listen } from '@parley/skills/provider/node';

const { url, descriptor, attempts, leaseMs } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${line}\n`);

/** Goes on when the test says so: the input `hold` is kept until standard input has something. */
let released = false;
process.stdin.once('data', () => {
  released = true;
});

const handler = async ({ text }, { executionId, attempt, signal, progress }) => {
  say(`begun ${executionId} ${attempt}`);
  progress(0.5, 'half');
  while (text === 'hold' && !released && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
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
