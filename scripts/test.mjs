import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './browser.mjs';
import { SetupFailure } from './setup/failure.mjs';
import { readJson } from './setup/stamp.mjs';
import { prepare } from './setup.mjs';
import { countTests, findTrouble, formatCounts } from './test/report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  try {
    await prepare(root);
    await fetchSuite();
    ensureBrowser();
  } catch (error) {
    console.error(error.message);
    console.log(formatCounts(countTests(undefined)));
    return error instanceof SetupFailure ? error.exitCode : 1;
  }
  const { code, report } = await runVitest(args);
  const counts = countTests(report);
  const trouble = findTrouble(report, counts, code);
  if (trouble !== undefined) console.error(trouble);
  console.log(formatCounts(counts));
  return code === 0 && counts.failed === 0 && trouble === undefined ? 0 : 1;
}

async function fetchSuite() {
  const script = new URL('./suite.mjs', import.meta.url);
  if (!existsSync(script)) return;
  const { ensureSuite } = await import(script.href);
  await ensureSuite();
}

async function runVitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const file = join(folder, 'report.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const code = await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [runner, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit' });
      child.on('error', reject);
      child.on('close', (exit, signal) => resolve(exit ?? signal));
    });
    return { code, report: readJson(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
