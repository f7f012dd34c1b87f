import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const { ended } = start(...args);
  return ended.then(({ output }) => ({ output, result: JSON.parse(output.trimEnd().split('\n').at(-1)) }));
}

function start(...args) {
  const script = `import { runVitest } from ${JSON.stringify(new URL('./run.mjs', import.meta.url).href)};
    import { countTests, formatCounts, listFailures } from ${JSON.stringify(new URL('./report.mjs', import.meta.url).href)};
    const { code, report } = await runVitest(process.cwd(), process.argv.slice(1));
    console.log(JSON.stringify({ code, counts: formatCounts(countTests(report)), failures: listFailures(report, process.cwd()) }));`;
  const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, code }));
  });
  return { child, ended };
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

test('HS-13 ending the run by its process number ends its tests, too', async () => {
  const file = join(folder, 'pid');
  const body = `import { writeFileSync } from 'node:fs';
    import { test } from 'vitest';
    test('never ends', () => { writeFileSync(${JSON.stringify(file)}, String(process.pid)); return new Promise(() => {}); }, 1e6);`;
  writeFileSync(join(folder, 'tests', 'c.test.mjs'), body);
  const { child, ended } = start('c.test.mjs');
  const readPid = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  await expect.poll(readPid).toBeGreaterThan(0);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(143);
  await expect.poll(() => isAlive(readPid())).toBe(false);
});

test('HS-13 the load of a stress run is one busy process for each core, and ends when it is told to', async () => {
  const load = startLoad(2);
  expect(load.pids.map(isAlive)).toEqual([true, true]);
  await load.stop();
  expect(load.pids.map(isAlive)).toEqual([false, false]);
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
