#!/usr/bin/env node
// HS-13: the suite, again and again, while the machine has something else to do.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureBrowser } from './browser.mjs';
import { ROOT } from './files.mjs';
import { ensureReady } from './setup.mjs';
import { ensureSuite } from './suite.mjs';
import { startLoad } from './test/load.mjs';
import { countTests, findTrouble, formatCounts, formatDuration, listFailures } from './test/report.mjs';
import { runVitest } from './test/run.mjs';

const HELP = `Usage: npm run stress -- [options] [files]

Runs the tests several times while other processes keep every core busy, their files in another order each time, and
lists what ever failed.

  --runs <n>    how often (3)
  --no-load     leave the machine alone
  --seed <n>    order of the first run (random; printed, so that the order can be had again)
  --help        this text
  files         only test files whose path contains one of these`;

process.exitCode = await main();

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
  await ensureReady();
  ensureSuite();
  ensureBrowser();
  const load = options.load ? startLoad() : undefined;
  try {
    return await repeat(options);
  } finally {
    await load?.stop();
  }
}

async function repeat({ runs, seed, load, files }) {
  const lines = [];
  const failures = new Map();
  for (let run = 0; run < runs; run++) {
    const order = seed + run;
    console.log(`\nRun ${run + 1} of ${runs}, order ${order}${load ? ', with every core busy' : ''}`);
    const started = Date.now();
    const { code, report } = await runVitest(ROOT, ['--sequence.shuffle.files', `--sequence.seed=${order}`, ...files]);
    const counts = countTests(report);
    const failed = listFailures(report, ROOT);
    const trouble = findTrouble(report, counts, code);
    if (trouble !== undefined) failed.push({ name: trouble, message: '' });
    for (const { name, message } of failed)
      failures.set(name, [...(failures.get(name) ?? []), { run: run + 1, message }]);
    lines.push(`Run ${run + 1}, order ${order}: ${formatCounts(counts)} in ${formatDuration(Date.now() - started)}`);
  }
  console.log(`\n${lines.join('\n')}`);
  if (failures.size === 0) console.log(`Nothing failed in ${runs} ${runs === 1 ? 'run' : 'runs'}.`);
  for (const [name, times] of failures) {
    console.log(`\n${name}\n  failed in ${times.length} of ${runs}`);
    for (const { run, message } of times) console.log(`  run ${run}: ${message}`);
  }
  return failures.size === 0 ? 0 : 1;
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  let parsed;
  try {
    parsed = parseArgs({
      options: { runs: text, seed: text, 'no-load': flag, help: flag },
      allowPositionals: true,
    });
  } catch (error) {
    return error.message;
  }
  const { values, positionals: files } = parsed;
  const numbers = { runs: 3, seed: randomInt(2 ** 31) };
  for (const name of Object.keys(numbers)) {
    if (values[name] === undefined) continue;
    if (!/^\d{1,9}$/.test(values[name])) return `--${name} wants a number`;
    numbers[name] = Number(values[name]);
  }
  if (numbers.runs === 0) return '--runs wants at least 1';
  return { ...numbers, load: !values['no-load'], help: values.help, files };
}
