import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../files.mjs';
import { startLoad } from './load.mjs';

let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-run-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, 'tests'));
  const write = (name, body) =>
    writeFileSync(join(folder, 'tests', name), `import { expect, test } from 'vitest';\n${body}`);
  write('a.test.mjs', `test('adds', () => expect(1 + 1).toBe(2));`);
  write('b.test.mjs', `test('adds wrongly', () => expect(1 + 1, 'the sum').toBe(3));`);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As `npm test` runs it, in a process of its own: its report is meant for a terminal. */
function run(...args) {
  const script = `import { runVitest } from ${JSON.stringify(new URL('./run.mjs', import.meta.url).href)};
    import { countTests, formatCounts, listFailures } from ${JSON.stringify(new URL('./report.mjs', import.meta.url).href)};
    const { code, report } = await runVitest(process.cwd(), process.argv.slice(1));
    console.log(JSON.stringify({ code, counts: formatCounts(countTests(report)), failures: listFailures(report, process.cwd()) }));`;
  const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
      cwd: folder,
      env: { ...env, NO_COLOR: '1' },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve({ output, result: JSON.parse(output.trimEnd().split('\n').at(-1)) }));
  });
}

test('HS-13 a run says how many files of all are done, and names what failed once more in the end', async () => {
  const { output, result } = await run();
  expect(output).toMatch(/^\s*1\/2 .*\.test\.mjs/m);
  expect(output).toMatch(/^\s*2\/2 .*\.test\.mjs/m);
  expect(result).toEqual({
    code: 1,
    counts: '1 passed, 1 failed',
    failures: [
      {
        name: `${join('tests', 'b.test.mjs')} › adds wrongly`,
        message: 'AssertionError: the sum: expected 2 to be 3 // Object.is equality',
      },
    ],
  });
});

test('HS-13 the load of a stress run is one busy process for each core, and ends when it is told to', async () => {
  const load = startLoad(2);
  const isAlive = (pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  expect(load.pids.map(isAlive)).toEqual([true, true]);
  await load.stop();
  expect(load.pids.map(isAlive)).toEqual([false, false]);
});
