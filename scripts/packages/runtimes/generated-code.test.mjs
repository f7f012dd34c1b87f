import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCodeMakers } from './generated-code/find.mjs';
import { ANSWERS } from './person.mjs';

const run = promisify(execFile);
const ROOT = new URL('../../../', import.meta.url);
const HERE = fileURLToPath(new URL('generated-code/', import.meta.url));
const read = (file) => readFileSync(file, 'utf8');

/** Runs a program where code of text is forbidden and every attempt is noted; V8 tells which files were loaded. */
async function runWithout(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-generated-'));
  try {
    const flags = ['--disallow-code-generation-from-strings', '--import', './trap.mjs'];
    const { stdout } = await run(process.execPath, [...flags, ...args], {
      cwd: HERE,
      env: { PATH: process.env.PATH, NODE_V8_COVERAGE: folder, ...env },
    });
    const [said, { tried }] = stdout
      .trim()
      .split('\n')
      .slice(-2)
      .map((line) => JSON.parse(line));
    const scripts = readdirSync(folder).flatMap((name) => JSON.parse(read(join(folder, name))).result);
    const loaded = scripts.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    return { said, tried, loaded: [...new Set(loaded.map((url) => fileURLToPath(url)))] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('PK-5 nothing that an agent loads makes code of text', () => {
  let server;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.drop());

  test('PK-5 an agent and a device work where it is forbidden, and nobody tries or could', async () => {
    const { said, tried, loaded } = await runWithout(['both-sides.mjs'], { PARLEY_URL: server.url });
    expect(said).toEqual({ websocket: ANSWERS, webhook: ANSWERS, condition: { ok: true, value: true } });
    expect(tried).toEqual([]);
    const modules = loaded.filter((file) => !file.startsWith(HERE));
    for (const part of [
      'packages/agent/',
      'packages/client/',
      'packages/e2ee/',
      '/@noble/',
      '/re2js/',
      '/@bufbuild/',
      '/ws/',
    ]) {
      expect(modules.filter((file) => file.includes(part))).not.toEqual([]);
    }
    const makers = modules.filter((file) => !file.endsWith('.json') && findCodeMakers(read(file)).length > 0);
    expect(makers).toEqual([]);
  });
});

describe('PK-5 the check itself', () => {
  test('PK-5 notes every attempt, also one that is caught', async () => {
    const attempts = ['eval', 'new Function', '(() => {}).constructor', '(async () => {}).constructor'];
    const code = attempts.map((make) => `try { ${make}('1') } catch {}`).join('; ');
    const { tried } = await runWithout(['--eval', `${code}; console.log('{}')`]);
    expect(tried).toHaveLength(attempts.length);
  });

  test('PK-5 finds the makers of code in a source, not their names elsewhere', () => {
    const typebox = new URL('node_modules/typebox/build/system/environment/evaluate.mjs', ROOT);
    expect(findCodeMakers(read(typebox))).toEqual(['Function']);
    expect(findCodeMakers("const make = Function; window['eval']('1'); eval('2')")).toEqual([
      'Function',
      'eval',
      'eval',
    ]);
    expect(
      findCodeMakers("// eval(\nclass A { eval() { return this.eval('Function('); } }; ({ Function: 1 })"),
    ).toEqual([]);
  });
});
