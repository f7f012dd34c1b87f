import { describe, expect, it } from 'vitest';
import { checkRepo } from './check-repo.mjs';

// Put together at run time: written out, they would be found in this file.
const HOME = ['', 'home', 'alice', 'notes'].join('/');
const TOKEN = `hsk_${'a1'.repeat(20)}`;
const KEY = ['-----BEGIN', 'EC PRIVATE KEY-----'].join(' ');
const focused = (name, modifier) => `${name}.${modifier}('HS-9 x', () => {})`;

const check = (path, text) => checkRepo([[path, Buffer.from(text)]]);

describe('HS-9 the repository holds nothing of one machine', () => {
  it.each([`cd ${HOME}`, `"${HOME}"`, `(${HOME})`, `x=${HOME}`, HOME])('finds the path in %s', (line) => {
    expect(check('docs/a.md', `fine\n${line}\n`)).toEqual(['docs/a.md:2: a path of one machine']);
  });

  it('lets addresses with such a word, and seeds that are allowed by name, be', () => {
    expect(check('a.md', `see https://example.com${HOME} and ./src${HOME}`)).toEqual([]);
    expect(checkRepo([['a.md', Buffer.from(HOME)]], { 'a.md': ['machine path'] })).toEqual([]);
    expect(checkRepo([['a.md', Buffer.from(TOKEN)]], { 'a.md': ['machine path'] })).toHaveLength(1);
  });

  it('finds the host of a registry in the lock file and in the settings', () => {
    const resolved = { resolved: ['https', '//registry.example/x.tgz'].join(':') };
    expect(check('package-lock.json', JSON.stringify(resolved))).toEqual([
      'package-lock.json:1: the host of a registry',
    ]);
    expect(check('package-lock.json', '"resolved": "packages/documents"')).toEqual([]);
    expect(check('.npmrc', 'save-exact=true\nregistry = x')).toEqual(['.npmrc:2: the host of a registry']);
  });
});

describe('HS-9 the repository holds no secret', () => {
  it('finds an agent token and a private key', () => {
    expect(check('a.json', `"${TOKEN}"`)).toEqual(['a.json:1: what looks like an agent token']);
    expect(check('a.pem', KEY)).toEqual(['a.pem:1: a private key']);
    expect(check('a.md', 'tokens are `hsk_` and 40 characters')).toEqual([]);
  });
});

describe('HS-19 what is waited for comes', () => {
  it('finds a timeout that the garbage collector may take', () => {
    const line = ['AbortSignal', 'any([signal, AbortSignal', 'timeout(5)])'].join('.');
    expect(check('a.ts', `const end = ${line};`)).toHaveLength(1);
    expect(check('a.ts', 'fetch(url, { signal: AbortSignal.timeout(5) })')).toEqual([]);
  });
});

describe('HS-9 every test runs', () => {
  it.each([
    ['it', 'skip'],
    ['test', 'only'],
    ['describe', 'todo'],
    ['it.concurrent', 'only'],
    ['it', 'skipIf'],
  ])('finds %s with %s', (name, modifier) => {
    expect(check('a.test.ts', focused(name, modifier))).toEqual(['a.test.ts:1: a skipped, focused or unwritten test']);
  });

  it('looks for it in tests only', () => {
    expect(check('a.md', focused('it', 'only'))).toEqual([]);
    expect(check('a.test.ts', 'iterator.skip(1)')).toEqual([]);
  });
});

describe('HS-19 tests do not depend on luck', () => {
  // Put together at run time, too.
  const write = (...parts) => parts.join('');
  it.each([
    ['a wait of a second', write('await vi.', 'waitFor(() => {})'), 'a wait that gives up after a second'],
    ['another', write('await vi.', 'waitUntil(() => true)'), 'a wait that gives up after a second'],
    ['a limit', write('expect.', 'poll(read, { ', 'timeout: 5 })'), 'a limit of its own'],
    ['a sleep', write('new Promise((resolve) => setTime', 'out(resolve, 100))'), 'a test that sleeps'],
    ['its module', write("from 'node:timers", "/promises'"), 'a test that sleeps'],
    ['a sleeping page', write('page.waitFor', 'Timeout(100)'), 'a test that sleeps'],
    [
      'a duration',
      write('expect(performance.now', '() - start).toBe', 'LessThan(5)'),
      'a test of how long something takes',
    ],
    ['its name', write('expect(run.took).toBe', 'GreaterThan(1)'), 'a test of how long something takes'],
    ['a port', write('server.', "listen(8080, '127.0.0.1')"), 'a port that somebody else may have'],
    ['another port', write('app.', "listen({ host: 'x', port: 8080 })"), 'a port that somebody else may have'],
    ['a free port', write('const port = await find', 'FreePort()'), 'a port that somebody else may have'],
    ['a module', write('vi.', "mock('node:fs')"), 'a module that is replaced for the whole process'],
  ])('HS-19 finds %s', (_, line, what) => {
    for (const path of ['a.test.ts', 'packages/a/tests/rig.ts', 'packages/testkit/src/a.ts']) {
      expect(check(path, line)).toEqual([expect.stringContaining(`${path}:1: ${what}`)]);
    }
    expect(check('packages/a/src/a.ts', line)).toEqual([]);
  });

  it('HS-19 lets timers, ports of the system’s choice and other comparisons be', () => {
    for (const line of [
      'setTimeout(() => reject(failed), 100)',
      "server.listen(0, '127.0.0.1', resolve)",
      "app.listen({ port: 0, host: '127.0.0.1' })",
      'expect(frames.length).toBeLessThan(5)',
      'expect.poll(() => told.length).toBe(1)',
      'vi.mocked(open).mockRejectedValueOnce(error)',
    ]) {
      expect(check('a.test.ts', line)).toEqual([]);
    }
  });
});

describe('HS-9 files stay small', () => {
  it('finds a file over 1 MB, text or not', () => {
    expect(checkRepo([['a.bin', Buffer.alloc(1_048_577)]])).toEqual(['a.bin: 1048577 bytes, more than 1048576']);
    expect(checkRepo([['a.bin', Buffer.alloc(1_048_576)]])).toEqual([]);
  });

  it('does not read binary files as text', () => {
    expect(checkRepo([['a.bin', Buffer.from(`\0 ${TOKEN}`)]])).toEqual([]);
  });
});
