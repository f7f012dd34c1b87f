import { describe, expect, test } from 'vitest';
import { displayWidth } from '../src/fit-text.ts';
import { en } from '../src/messages/en.ts';
import { zhCN } from '../src/messages/zh-CN.ts';
import { parley, roleos, useBuiltCommand } from './run.ts';

useBuiltCommand();

const SHARED = ['validate', 'preview', 'activate', 'rollback', 'publish'] as const;
const OWN = ['init', 'start', 'stop', 'status', 'login'] as const;
const INSTALLING = ['install', 'uninstall', 'import'] as const;
type Key = keyof typeof en;

const COMMANDS: { program: 'roleos' | 'parley'; path: string[]; key: string }[] = [
  { program: 'roleos', path: [], key: 'help.roleos' },
  ...OWN.map((name) => ({ program: 'roleos' as const, path: [name], key: `help.roleos.${name}` })),
  ...[...INSTALLING, ...SHARED].map((name) => ({
    program: 'roleos' as const,
    path: [name],
    key: `help.bundle.${name}`,
  })),
  { program: 'parley', path: ['bundle'], key: 'help.bundle' },
  { program: 'parley', path: ['bundle', 'run-as-agent'], key: 'help.bundle.run' },
  ...SHARED.map((name) => ({ program: 'parley' as const, path: ['bundle', name], key: `help.bundle.${name}` })),
];

describe('BA-8 --help', () => {
  test.each(COMMANDS)('of $program $path has an example and fits 80 columns, in both languages', async (command) => {
    const { program, path, key } = command;
    const run = program === 'roleos' ? roleos : parley;
    const name = program === 'roleos' ? 'roleos' : 'parley bundle';
    for (const [locale, table] of [
      ['en', en],
      ['zh-CN', zhCN],
    ] as const) {
      const { code, stdout, stderr } = await run([...path, '--help', '--locale', locale]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(table[key as Key].slice(0, 20));
      expect(stdout).toContain(table[`${key}.more` as Key].replaceAll('{program}', name));
      expect(stdout).toMatch(/--json\b/);
      expect(stdout).toMatch(new RegExp(`^ {2}${program} `, 'm'));
      expect(stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([]);
      if (locale === 'zh-CN') expect(stdout).not.toMatch(/Usage:|Options:|Commands:|Arguments:/);
    }
  });
});

describe('BA-8 usage errors are exit code 2', () => {
  test.each([
    [['instal', 'x'], /Did you mean install\?/],
    [['install'], /argument bundle is missing/],
    [['activate', './x'], /--plan-digest/],
    [['install', './x', '--yes'], /--yes needs --plan-digest/],
    [['preview', './x', '--target', 'other'], /one of: openclaw, plain/],
    [['status'], /roleos init/],
    [['login', '--url', 'http://example.org'], /not the address of a server/],
  ])('%j', async (args, words) => {
    const env = { HOME: '/nonexistent' };
    const { code, stdout, stderr } = await roleos(args, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
    const json = await roleos([...args, '--json'], { env });
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      error: { code: expect.any(String), message: expect.stringMatching(words) },
    });
  });
});
