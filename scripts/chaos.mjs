#!/usr/bin/env node
// TR-2, TR-3, RL-4 while servers and their Postgres are killed.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureReady } from './setup.mjs';

const HELP = `Usage: npm run chaos -- [options]

Starts two servers on one embedded Postgres, on loopback, kills them again and again under load, and checks that no
acknowledged message is lost, none is handled twice, and no number or version is missing. Stops by itself.

  --rounds <n>   how often something is killed (22, about three minutes)
  --seed <n>     chooses what is killed and what is sent (random, printed); time is not in its hands
  --json         print the report as JSON
  --help`;

// Requests that wait for a server that will not come back must not hold the process.
process.exit(await main());

async function main() {
  const options = readOptions();
  if (typeof options === 'string') {
    console.error(`${options}\n\n${HELP}`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  await ensureReady({ quiet: options.json });
  // The servers and Postgres are ended when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const { runChaos } = await import('./chaos/run.mjs');
  const { rounds, seed, json } = options;
  if (!json) console.log(`Seed ${seed}, ${rounds} rounds`);
  const report = await runChaos({ rounds, seed, tell: json ? () => {} : (line) => console.log(line) });
  if (json) console.log(JSON.stringify({ seed, rounds, ...report }, null, 2));
  else print(report);
  return report.faults.length === 0 ? 0 : 1;
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  let values;
  try {
    values = parseArgs({ options: { rounds: text, seed: text, json: flag, help: flag } }).values;
  } catch (error) {
    return error.message;
  }
  const numbers = { rounds: 22, seed: randomInt(2 ** 31) };
  for (const name of Object.keys(numbers)) {
    if (values[name] === undefined) continue;
    if (!/^\d{1,9}$/.test(values[name])) return `--${name} wants a number`;
    numbers[name] = Number(values[name]);
  }
  if (numbers.rounds === 0) return '--rounds wants at least 1';
  return { ...numbers, json: values.json, help: values.help };
}

function print({ faults, folder, kills, refusals, ...figures }) {
  const list = (counts) => Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const rows = { ...figures, kills: list(kills).join(', '), refusals: list(refusals).join(', ') || 'none' };
  for (const [name, value] of Object.entries(rows)) console.log(`${name.replaceAll('_', ' ').padEnd(20)}${value}`);
  if (faults.length === 0) {
    console.log('every promise was kept');
    return;
  }
  console.error(`\n${faults.length} broken:`);
  for (const { rule, text } of faults.slice(0, 50)) console.error(`  ${rule}  ${text}`);
  console.error(`data and logs are in ${folder}`);
}
