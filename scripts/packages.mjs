#!/usr/bin/env node
// PK-1, PK-2, PK-3, PK-6: what people get who install Parley.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './files.mjs';
import { ensureReady } from './setup.mjs';

const HELP = `Usage: npm run packages -- [options]

Packs everything that is published, serves it from a registry on loopback, installs it into empty folders, and tries it
there: contents, types, sizes, licences, every guide word for word, and agents on each runtime.

  --only <steps>   only these, separated by commas: contents, lint, sizes, licences, types, node, guides, runtimes
  --out <folder>   leave the tarballs there, for \`npm i <folder>/*.tgz\`
  --all            what cannot be had here, such as a runtime, counts as failed
  --keep           leave the folder with the installation, and say where it is
  --measure        write what was measured into scripts/packages/sizes.json, with new budgets
  --help`;

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
  await ensureReady();
  const { STEPS, tryPackages } = await import('./packages/run.mjs');
  const names = options.only?.split(',') ?? Object.keys(STEPS);
  const unknown = names.filter((name) => !(name in STEPS));
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}.\n\n${HELP}`);
    return 2;
  }
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'parley-packages-')));
  const out = options.out === undefined ? join(temporary, 'tarballs') : resolve(options.out);
  const clean = () => !options.keep && rmSync(temporary, { recursive: true, force: true });
  process.on('exit', clean);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const rows = await tryPackages({ root: ROOT, temporary, out, names, measure: options.measure, say: console.error });
  print(rows);
  if (options.out !== undefined) console.log(`The tarballs are in ${out}.`);
  if (options.keep) console.log(`The installation is in ${temporary}.`);
  return rows.some(({ problems, skipped }) => problems.length > 0 || (options.all && skipped !== undefined)) ? 1 : 0;
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ options: { only: text, out: text, all: flag, keep: flag, measure: flag, help: flag } }).values;
  } catch (error) {
    return error.message;
  }
}

function print(rows) {
  console.log('');
  for (const { name, problems, skipped, seconds } of rows) {
    const verdict = problems.length > 0 ? 'FAIL' : skipped === undefined ? 'ok' : 'not run';
    console.log(
      `${verdict.padEnd(8)}${name.padEnd(50)}${`${seconds.toFixed(1)} s`.padStart(8)}${skipped ? `  ${skipped}` : ''}`,
    );
    for (const problem of problems) console.log(problem.replace(/^/gm, '          '));
  }
  const failed = rows.filter(({ problems }) => problems.length > 0).length;
  const notRun = rows.filter(({ skipped }) => skipped !== undefined).length;
  const rest = notRun === 0 ? '' : `, ${notRun} not run`;
  console.log(
    failed === 0 ? `\n${rows.length - notRun} are fine${rest}.` : `\n${failed} of ${rows.length} failed${rest}.`,
  );
}
