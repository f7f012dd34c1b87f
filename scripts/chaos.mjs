#!/usr/bin/env node
// TR-2, TR-3, RL-4 while servers and their Postgres are killed; OP-3, OP-4 while one stranger misbehaves; OP-12.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureReady } from './setup.mjs';

const HELP = `Usage: npm run chaos -- [options]
       npm run chaos -- strangers [options]
       npm run chaos -- upgrade

Starts two servers on one embedded Postgres, on loopback, kills them again and again under load, and checks that no
acknowledged message is lost, none is handled twice, and no number or version is missing. Stops by itself.

  --rounds <n>   how often something is killed (22, about three minutes)
  --seed <n>     chooses what is killed and what is sent (random, printed); time is not in its hands
  --json         print the report as JSON
  --help

strangers: starts one server for each attack, on loopback, and lets one account do its worst inside its limits while an
innocent person and agent go on talking. Prints how much they notice. Stops by itself, after ten to twenty minutes.

  --only <names>   some attacks, separated by commas
  --seconds <n>    how long each attack may take, 3 to 20 (12)
  --list           print the attacks and what they do
  --json           print the report as JSON

upgrade: starts the version before, which is in the history of the repository, and this one on one database, and does on
both what people and agents do every day, the start of this one included, with two million messages in the database. Takes
about two minutes.`;

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };

// Requests that wait for a server that will not come back must not hold the process.
process.exit(await main());

async function main() {
  const options = readOptionsOf(process.argv[2]);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${HELP}`);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  // The servers and Postgres are ended when this process exits.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  if (options.kind === 'upgrade') return upgrade();
  return options.kind === 'strangers' ? measureStrangers(options) : killServers(options);
}

function readOptionsOf(name) {
  if (name === 'upgrade') return { kind: 'upgrade', help: process.argv.includes('--help') };
  return name === 'strangers' ? readStrangersOptions() : readOptions();
}

async function upgrade() {
  await ensureReady({ quiet: false });
  const { findObstacle } = await import('./chaos/upgrade/previous.mjs');
  const { runUpgradeAlone } = await import('./chaos/upgrade/run.mjs');
  const obstacle = await findObstacle();
  if (obstacle !== undefined) {
    console.error(obstacle);
    return 2;
  }
  try {
    const done = await runUpgradeAlone({ tell: (line) => console.log(line), messages: 2_000_000 });
    console.log(`${done.length} steps, both versions kept every promise`);
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

async function killServers({ rounds, seed, json }) {
  await ensureReady({ quiet: json });
  const { runChaos } = await import('./chaos/run.mjs');
  if (!json) console.log(`Seed ${seed}, ${rounds} rounds`);
  const report = await runChaos({ rounds, seed, tell: json ? () => {} : (line) => console.log(line) });
  if (json) console.log(JSON.stringify({ seed, rounds, ...report }, null, 2));
  else print(report);
  return report.faults.length === 0 ? 0 : 1;
}

async function measureStrangers({ only, seconds, list, json }) {
  const { ATTACKS } = await import('./chaos/strangers/attacks/index.mjs');
  const unknown = only.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) {
    console.error(`there is no attack ${unknown.join(', ')}; there are ${ATTACKS.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  if (list) {
    for (const { name, title } of ATTACKS) console.log(`${name.padEnd(14)}${title}`);
    return 0;
  }
  await ensureReady({ quiet: json });
  const { runStrangers } = await import('./chaos/strangers/run.mjs');
  const { formatHead, formatRow } = await import('./chaos/strangers/table.mjs');
  if (!json) console.log(formatHead());
  const rows = await runStrangers({
    ...(only.length === 0 ? {} : { names: only }),
    seconds,
    tell: json ? () => {} : (row) => console.log(formatRow(row)),
  });
  const missed = rows.filter(({ faults }) => faults.length > 0);
  if (json) console.log(JSON.stringify({ seconds, held: missed.length === 0, attacks: rows }, null, 2));
  else if (missed.length === 0) console.log('nobody noticed');
  else {
    console.error(`\n${missed.length} of ${rows.length} were noticed:`);
    for (const { name, faults } of missed) console.error(`  ${name.padEnd(14)}${faults.join('; ')}`);
  }
  return missed.length === 0 ? 0 : 1;
}

function readStrangersOptions() {
  let values;
  try {
    const options = { only: text, seconds: text, list: flag, json: flag, help: flag };
    values = parseArgs({ args: process.argv.slice(3), options }).values;
  } catch (error) {
    return error.message;
  }
  const { only = '', seconds = '12', list, json, help } = values;
  if (!/^\d{1,2}$/.test(seconds) || Number(seconds) < 3 || Number(seconds) > 20) return '--seconds wants 3 to 20';
  const names = only.split(',').filter((name) => name !== '');
  return { kind: 'strangers', only: names, seconds: Number(seconds), list, json, help };
}

function readOptions() {
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
  return { kind: 'kills', ...numbers, json: values.json, help: values.help };
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
  for (const { rule, text: words } of faults.slice(0, 50)) console.error(`  ${rule}  ${words}`);
  console.error(`data and logs are in ${folder}`);
}
