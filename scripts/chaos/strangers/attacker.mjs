// One attacker, in a process of its own: what it needs of the two cores must not look like the server's slowness.
import { setPriority } from 'node:os';
import { ATTACKS } from './attacks/index.mjs';
import { createPatient } from './client.mjs';

const NICE = 15;
const ADDRESS = '198.51.100.66';

const { name, url, databaseUrl, seconds } = JSON.parse(process.argv[2]);
const { prepare, run } = ATTACKS.find((attack) => attack.name === name);
const answers = {};
const context = {
  url,
  databaseUrl,
  address: ADDRESS,
  call: createPatient(url, ADDRESS),
  count: (answer, by = 1) => {
    answers[answer] = (answers[answer] ?? 0) + by;
  },
  isOver: () => performance.now() > deadline,
  remaining: () => Math.max(0, deadline - performance.now()),
};
let deadline = Number.POSITIVE_INFINITY;

// Nobody is left to be told about it.
process.on('disconnect', () => process.exit(1));
process.on('unhandledRejection', () => context.count('lost'));
const begun = new Promise((resolve) => process.once('message', resolve));
const state = await prepare(context);
process.send({ ready: true });
await begun;
setPriority(NICE);
deadline = performance.now() + 1_000 * seconds;
const end = setTimeout(finish, 1_000 * seconds);
await run(context, state);
clearTimeout(end);
finish();

function finish() {
  process.send({ answers }, () => process.exit(0));
}
