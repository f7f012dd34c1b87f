#!/usr/bin/env node
// Takes each check away, one at a time, and expects a test that cites its rule to fail.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTests } from './check-rules.mjs';
import { findFiles, ROOT, readFiles } from './files.mjs';
import { checkMutants, readMutants } from './mutate/mutants.mjs';
import { tryMutant } from './mutate/run.mjs';
import { ensureReady } from './setup.mjs';

const AT_ONCE = 2;
const HELP = `Usage: npm run mutate -- [--only <rule or id>]

Removes one check after the other and expects a test that cites its rule to fail. The checks are listed in
scripts/mutants. No source file is touched.`;

process.exitCode = await main();

async function main() {
  let only;
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    only = values.only;
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    return 2;
  }
  await ensureReady({ build: false });
  const mutants = readMutants();
  const errors = checkMutants(mutants, (file) => readFileSync(join(ROOT, file), 'utf8'));
  for (const error of errors) console.error(error);
  const chosen = mutants.filter(({ id, rule }) => only === undefined || only === id || only === rule);
  if (chosen.length === 0) console.error(`There is no rule or mutant ${only}.`);
  if (errors.length > 0 || chosen.length === 0) return 1;
  const survivors = await tryAll(chosen);
  console.log(`\n${chosen.length} checks taken away, ${survivors.length} unnoticed`);
  for (const { id, file } of survivors) console.log(`  ${id} (${file})`);
  return survivors.length === 0 ? 0 : 1;
}

async function tryAll(mutants) {
  const files = filesByRule();
  const survivors = [];
  const pending = [...mutants];
  const work = async () => {
    for (let mutant = pending.shift(); mutant !== undefined; mutant = pending.shift()) {
      const { caught, note } = await tryEach(mutant, filesFor(mutant, files.get(mutant.rule) ?? []));
      console.log(`${caught ? 'caught   ' : 'UNNOTICED'} ${mutant.id.padEnd(40)} ${note}`);
      if (!caught) survivors.push(mutant);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return survivors;
}

/** The quick tests first, and the others only if these notice nothing. */
async function tryEach(mutant, groups) {
  let result = { caught: false, note: `no test cites ${mutant.rule}` };
  for (const files of groups) {
    if (files.length > 0) result = await tryMutant(mutant, files);
    if (result.caught) break;
  }
  return result;
}

/** Those of the same package: beside the code, then those in `tests` that need no browser. */
function filesFor({ file, tests }, files) {
  if (tests !== undefined) return [tests];
  const room = file.split('/').slice(0, 2).join('/');
  const own = files.filter((path) => path.startsWith(`${room}/`) && !path.endsWith('/browser.test.ts'));
  return [own.filter((path) => path.includes('/src/')), own.filter((path) => !path.includes('/src/'))];
}

function filesByRule() {
  const files = new Map();
  for (const [path, source] of readFiles(ROOT, findFiles(ROOT, 'packages', /\.test\.ts$/))) {
    for (const id of new Set(readTests(source).flatMap(({ ids }) => ids))) {
      files.set(id, [...(files.get(id) ?? []), path]);
    }
  }
  return files;
}
