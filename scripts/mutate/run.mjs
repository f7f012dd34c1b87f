import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../files.mjs';
import { readJson } from '../setup/stamp.mjs';

const RUNNER = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const LIMIT_MS = 240_000;

/**
 * Runs the tests of a rule with one mutant in place.
 *
 * @param {import('./mutants.mjs').Mutant} mutant @param {readonly string[]} files
 * @returns {Promise<{ caught: boolean, note: string }>}
 */
export async function tryMutant(mutant, files) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mutant-'));
  const file = join(folder, 'report.json');
  // The fuzzer's own tests load what was built, where no mutant is.
  const titles = `^(?!.*the fuzzer catches).*\\b${mutant.rule}(?!\\d)`;
  // Attacks need a server, which the tests of a rule usually do without.
  const project = mutant.tests === undefined ? ['--project=parts'] : [];
  const args = ['run', ...project, '--maxWorkers=1', '--reporter=json', `--outputFile=${file}`, '-t', titles];
  try {
    const ended = await runVitest([...args, ...files], { ...process.env, PARLEY_MUTANT: mutant.id });
    if (!ended) return { caught: true, note: 'the tests did not end' };
    return judge(readJson(file), mutant.rule);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** False where it had to be stopped. */
function runVitest(args, env) {
  return new Promise((resolve, reject) => {
    // A group of its own: the runner's workers outlive it, and one in an endless loop would go on for ever.
    const detached = process.platform !== 'win32';
    const child = spawn(process.execPath, [RUNNER, ...args], { cwd: ROOT, env, stdio: 'ignore', detached });
    const stop = () => (detached ? process.kill(-child.pid, 'SIGKILL') : child.kill('SIGKILL'));
    const interrupt = () => {
      stop();
      // Afterwards: another mutant may run beside this one, and is stopped by its own listener.
      setImmediate(() => process.exit(130));
    };
    const timer = setTimeout(stop, LIMIT_MS);
    process.once('SIGINT', interrupt);
    child.on('error', reject);
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt);
      resolve(signal !== 'SIGKILL');
    });
  });
}

/** @param {any} report @param {string} rule */
export function judge(report, rule) {
  const tests = (report?.testResults ?? []).flatMap((result) => result.assertionResults);
  const cites = new RegExp(`(^|\\s)${rule}(?![\\w-])`);
  const ran = tests.filter(({ status }) => status === 'passed' || status === 'failed');
  const failed = ran.filter(({ status, fullName }) => status === 'failed' && cites.test(fullName));
  if (failed.length > 0) return { caught: true, note: `${failed.length} of ${ran.length} tests` };
  const broken = (report?.testResults ?? []).some(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { caught: false, note: broken ? 'a test file did not load' : `${ran.length} tests passed` };
}
