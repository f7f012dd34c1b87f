import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson } from '../setup/stamp.mjs';

const REPORTER = fileURLToPath(new URL('./progress.mjs', import.meta.url));

/**
 * Runs vitest with its output shown. `report` is its JSON report, undefined where it ended before it could write one.
 *
 * @param {string} root @param {readonly string[]} args
 * @returns {Promise<{ code: number | string, report: object | undefined }>}
 */
export async function runVitest(root, args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const file = join(folder, 'report.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  let end = () => {};
  const reporters = [`--reporter=${REPORTER}`, '--reporter=json', `--outputFile.json=${file}`];
  try {
    const code = await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [runner, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit' });
      // A terminal interrupts both; whoever ends this process by its number reaches only this one.
      end = () => {
        child.once('close', () => setImmediate(() => process.exit(143)));
        child.kill();
      };
      process.once('SIGTERM', end);
      child.on('error', reject);
      child.on('close', (exit, signal) => resolve(exit ?? signal));
    });
    return { code, report: readJson(file) };
  } finally {
    process.off('SIGTERM', end);
    rmSync(folder, { recursive: true, force: true });
  }
}
