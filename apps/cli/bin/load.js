const { existsSync } = require('node:fs');
const { join, relative } = require('node:path');
const { createLoader } = require('./code-cache.js');

const PROGRAM = join(__dirname, '../dist/program');
/** Only a clone has it. */
const RECIPE = join(__dirname, '../rolldown.config.ts');
const SETUP = join(__dirname, '../../../scripts/setup.mjs');

/** The built program, or a word about how to get it. */
exports.load = (name) => {
  const file = join(PROGRAM, `${name}.cjs`);
  if (!existsSync(file)) {
    process.stderr.write(`${explainMissing(name)}\n`);
    process.exit(3);
  }
  if (!process.env.PARLEY_DEBUG) return createLoader(PROGRAM).load(file);
  // Then stack traces name the sources, which only Node's own loader can tell. Reading the maps takes a moment.
  process.setSourceMapsEnabled(true);
  return require(file);
};

function explainMissing(name) {
  if (existsSync(RECIPE)) return `${name} is not built yet. Build it with: node ${relative(process.cwd(), SETUP)}`;
  return `Files of @parley/cli are missing. Install it again: npm install @parley/cli`;
}
