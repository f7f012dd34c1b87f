// Everything that can be checked without running the product: one line per check, the details of those that fail.
import { spawn } from 'node:child_process';
import { ensureReady } from './setup.mjs';

const bin = (path, ...args) => ['node', [`node_modules/${path}`, ...args]];
const CHECKS = [
  ['format and lint', bin('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')],
  ['types', bin('typescript/bin/tsc', '-p', 'tsconfig.test.json')],
  // Biome has no types of its own that are good enough for this (HS-21).
  [
    'no promise is forgotten',
    bin('oxlint/bin/oxlint', '--type-aware', '--format=unix', 'packages', 'apps', 'examples', 'bench', 'scripts'),
  ],
  ['dead code', bin('knip/bin/knip.js', '--no-progress')],
  ['layers and cycles', ['node', ['scripts/check-layers.mjs']]],
  ['generated files are fresh', ['node', ['scripts/generate.mjs', '--check']]],
  ['rules and tests cite each other', ['node', ['scripts/check-rules.mjs']]],
  ['tests look for whole texts', ['node', ['scripts/check-locators.mjs']]],
  ['nothing here that should not be', ['node', ['scripts/check-repo.mjs']]],
];

function run([command, args]) {
  return new Promise((resolve) => {
    const child = spawn(command === 'node' ? process.execPath : command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

await ensureReady({ quiet: true });
let failed = 0;
for (const [name, command] of CHECKS) {
  const started = Date.now();
  const { ok, output } = await run(command);
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (ok) continue;
  failed++;
  console.log(output.trimEnd().replace(/^/gm, '      '));
}
console.log(failed === 0 ? `All ${CHECKS.length} checks are fine.` : `${failed} of ${CHECKS.length} checks failed.`);
process.exitCode = failed === 0 ? 0 : 1;
