import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const RUNNER = new URL('../bench/dist/runner.js', import.meta.url).href;
/** Benches that take no time, and one that never ends after its first row. */
const FIXTURE = `
  import { runBenches } from ${JSON.stringify(RUNNER)};
  const row = (name) => ({ name, detail: 'a peer', ours: 2, peer: 1, unit: 'ops/s', ratio: 2 });
  const benches = {
    quick: async () => ({
      async *run() {
        yield row('one');
        yield row('two');
      },
    }),
    broken: async () => ({
      async *run() {
        throw new Error('no peer');
      },
    }),
    endless: async () => ({
      async *run() {
        yield row('three');
        setInterval(() => {}, 2 ** 30);
        await new Promise(() => {});
        yield row('four');
      },
    }),
  };
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort());
  process.exit(await runBenches({
    benches,
    args: process.argv.slice(1),
    print: (text) => console.log(text),
    tell: (line) => console.error(line),
    signal: interrupt.signal,
  }));`;

function start(...args) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', FIXTURE, '--', ...args], { stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  let look = () => {};
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
      look();
    });
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })));
  /** Until it has said this. */
  const hear = (words) =>
    new Promise((resolve) => {
      look = () => {
        if (said.stderr.includes(words)) resolve();
      };
      look();
    });
  return { child, ended, hear };
}

const firstCells = (table) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);

describe('HS-17 npm run bench', () => {
  it('HS-17 says each row as it is measured; stopped, it prints the table of them and ends with another code', async () => {
    const { child, ended, hear } = start('quick', 'endless');
    await hear('  three');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(firstCells(stdout)).toEqual(['what', 'one', 'two', 'three']);
    expect(stderr).toMatch(/\[1\/2\] quick …\n {2}one .*2\.00×\n {2}two .*\n\[2\/2\] endless …\n {2}three /);
    expect(stderr).toContain('Interrupted: 1 of 2 were finished');
  });

  it('HS-17 gives JSON of the rows so far as well', async () => {
    const { child, ended, hear } = start('endless', '--json');
    await hear('  three');
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(JSON.parse(stdout).map(({ name }) => name)).toEqual(['three']);
  });

  it('HS-17 runs only what is named, and loses nothing by a bench that fails', async () => {
    expect(await start('quick').ended).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await start('--only', 'broken', 'quick').ended;
    expect(code).toBe(1);
    expect(firstCells(stdout)).toEqual(['what', 'one', 'two']);
    expect(stderr).toContain('Failed: broken.');
  });

  it('HS-17 names the benches there are to whoever names another', async () => {
    for (const args of [['slow'], ['--fast']]) {
      const { code, stdout, stderr } = await start(...args).ended;
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('quick|broken|endless');
    }
  });
});
