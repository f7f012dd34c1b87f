#!/usr/bin/env node
// DF-21: a long run of the fuzzer over what was built.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ensureReady } from './setup.mjs';

const HELP = `Usage: npm run fuzz -- [options]

Compares pairs of schemas and holds what the engine says against independent validators (DF-21).

  --pairs <n>        pairs to try (20000)
  --instances <n>    instances for each pair called silent (60); others get a third
  --seed <n>         seed of the run (random; printed, so that the run can be had again)
  --from <n>         number of the first pair (0)
  --time-limit <s>   stop after so many seconds
  --help`;

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
  const { fuzz, shrinkFailure } = await import('@parley/testkit');
  const { createSubject } = await import('./fuzz/subject.mjs');
  const { loadEngine } = await import('./fuzz/variant.mjs');
  const subject = createSubject(await loadEngine());

  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  console.log(`Seed ${options.seed}`);
  const report = fuzz(subject, { ...options, isOver: (soFar) => showProgress(soFar, options, seconds()) });
  clearProgress();
  printFigures(report, seconds());
  for (const failure of report.failures) printFailure(shrinkFailure(subject, failure), options.seed);
  return report.failures.length === 0 ? 0 : 1;
}

function readOptions() {
  const numbers = { pairs: 20_000, instances: 60, seed: randomInt(2 ** 31), from: 0, 'time-limit': Infinity };
  const names = Object.keys(numbers);
  const flags = { ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])), help: { type: 'boolean' } };
  let values;
  try {
    values = parseArgs({ options: flags }).values;
  } catch (error) {
    return error.message;
  }
  for (const name of names) {
    if (values[name] === undefined) continue;
    if (!/^\d+$/.test(values[name])) return `--${name} wants a number`;
    numbers[name] = Number(values[name]);
  }
  const { 'time-limit': timeLimit, ...rest } = numbers;
  return { ...rest, timeLimit, help: values.help === true };
}

let shown = 0;

function showProgress(report, { pairs, timeLimit }, seconds) {
  if (process.stderr.isTTY && seconds - shown >= 0.5) {
    shown = seconds;
    process.stderr.write(`\r${report.pairs} of ${pairs} pairs, ${Math.round(report.pairs / seconds)} a second `);
  }
  return seconds > timeLimit;
}

function clearProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

function printFigures(report, seconds) {
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  const rows = [
    ['pairs', report.pairs, `${Math.round(report.pairs / seconds)} a second`],
    ['  refused', report.refused, ''],
    ['  silent', report.silent, share(report.silent, report.pairs)],
    ['    the same', report.same, share(report.same, report.silent)],
    ['  breaking', report.breaking, share(report.breaking, report.pairs)],
    ['    with a witness', report.witnessed, share(report.witnessed, report.breaking)],
    ['    shown by an instance', report.shown, share(report.shown, report.breaking)],
    ['    neither', report.doubtful, share(report.doubtful, report.breaking)],
    ['    neither, undecided', report.undecided, share(report.undecided, report.breaking)],
    ['instances', report.instances, ''],
    ['  accepted by the old', report.accepted, share(report.accepted, report.instances)],
    ['judges compared', report.compared, ''],
    ['  disagreed', report.disagreed, share(report.disagreed, report.compared)],
    ['failures', report.failures.length, ''],
  ];
  for (const [label, count, note] of rows)
    console.log(`${label.padEnd(26)}${String(count).padStart(9)}  ${note}`.trimEnd());
  const reasons = report.topReasons(8).map(([reason, count]) => `${reason} ${count}`);
  if (reasons.length > 0) console.log(`undecided at: ${reasons.join(', ')}`);
}

function printFailure({ kind, pair, before, after, instance, earlier }, seed) {
  console.error(`\n${kind}, again with --seed ${seed} --from ${pair} --pairs 1`);
  for (const other of earlier) console.error(`  earlier   ${JSON.stringify(other)}`);
  console.error(`  before    ${JSON.stringify(before)}`);
  if (kind !== 'wrong verdict') console.error(`  after     ${JSON.stringify(after)}`);
  console.error(`  instance  ${JSON.stringify(instance)}`);
}
