import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { describeTree } from '../src/completion/tree.ts';
import { wordsFor } from '../src/messages/index.ts';
import { createProgram } from '../src/program.ts';
import { createRoleos } from '../src/roleos/program.ts';
import { parley, roleos, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
mkdirSync(join(folder.path, 'a folder'));
folder.write('a file.json', '{}');
folder.write('other.json', '{}');

const means = { words: wordsFor('en'), paint: (_: string, text: string) => text, settle: () => {}, collect: () => {} };
const PROGRAMS = { parley: createProgram(means), roleos: createRoleos(means) };
const RUN = { parley, roleos };
type Name = keyof typeof PROGRAMS;

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

async function scriptOf(name: Name, shell: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await RUN[name](['completion', shell, ...options]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return folder.write(`${name}.${shell}`, stdout);
}

/** What bash offers for the last of the words, asked as readline asks. */
function completeInBash(script: string, name: Name, words: readonly string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _${name}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '--noprofile', '-c', program, 'bash', script, name, ...words];
  const text = execFileSync('bash', args, { cwd: folder.path, encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

describe('HS-15 completion in bash', () => {
  test.each(['parley', 'roleos'] as const)('HS-15 of %s knows every command and every option', async (name) => {
    const script = await scriptOf(name, 'bash');
    expect(spawnSync('bash', ['-n', script]).status).toBe(0);
    const check = (command: Command, path: string[]): void => {
      const offered = completeInBash(script, name, [...path, '-']);
      for (const { long } of command.options) expect([path, offered]).toEqual([path, expect.arrayContaining([long])]);
      expect(offered).toEqual(expect.arrayContaining(['--json', '--help']));
      const names = command.commands.map((child) => child.name());
      if (names.length > 0) expect(completeInBash(script, name, [...path, ''])).toEqual([...names, 'help']);
      for (const child of command.commands) check(child, [...path, child.name()]);
    };
    check(PROGRAMS[name], []);
  });

  test.each([
    [['mani'], ['manifest']],
    [['manifest', 'diff', '--pol'], ['--policy']],
    [
      ['manifest', 'diff', '--policy', ''],
      ['spec', 'guide'],
    ],
    [['manifest', 'diff', '--policy', '=', 'g'], ['guide']],
    [['--locale', 'zh'], ['zh-CN']],
    [['--locale', 'zh-CN', 'manifest', 'va'], ['validate']],
    [['agent', 'create', '--url', 'manifest', '--man'], ['--manifest']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['help', 'tou'], ['tour']],
    [
      ['manifest', 'validate', 'a'],
      ['a file.json', 'a folder'],
    ],
    [['manifest', 'diff', 'other.json', 'o'], ['other.json']],
    [['agent', 'create', 'Bot', '--manifest', 'o'], ['other.json']],
    [
      ['chat', '--allow-dir', 'a f'],
      ['a file.json', 'a folder'],
    ],
    // Nobody can know these.
    [['chat', '--send', ''], []],
    [['agent', 'list', '--url', 'o'], []],
    [['chat', 'o'], []],
    // Behind the two dashes there are no options.
    [['manifest', 'validate', '--', '-'], []],
    [['manifest', 'validate', '--', 'o'], ['other.json']],
  ])('HS-15 %j gives %j', async (words, offered) => {
    const script = await scriptOf('parley', 'bash');
    expect(completeInBash(script, 'parley', words).sort()).toEqual([...offered].sort());
  });
});

describe('HS-15 completion in zsh and fish', () => {
  test.each(['parley', 'roleos'] as const)(
    'HS-15 of %s names every command, in the language asked for',
    async (name) => {
      const nodes = describeTree(PROGRAMS[name]);
      expect(nodes.length).toBeGreaterThan(10);
      for (const shell of ['zsh', 'fish'] as const) {
        const { stdout } = await RUN[name](['completion', shell]);
        for (const { path, options } of nodes) {
          if (path !== '' && !path.endsWith(' help')) expect(stdout).toContain(`'${path}'`);
          for (const { flags } of options) {
            for (const flag of flags) expect(stdout).toContain(shell === 'zsh' ? flag : flag.replace(/^--?/, ''));
          }
        }
        const chinese = await RUN[name](['completion', shell, '--locale', 'zh-CN']);
        expect(chinese.stdout).toContain(wordsFor('zh-CN').say('help.completion'));
        expect(chinese.stdout).not.toContain(wordsFor('en').say('help.completion'));
      }
    },
  );

  test('HS-15 zsh reads the script; where there is no zsh, every quote and case in it is closed', async () => {
    const script = await scriptOf('parley', 'zsh');
    const text = (await parley(['completion', 'zsh'])).stdout;
    expect(text.startsWith('#compdef parley\n')).toBe(true);
    expect(text.match(/\bcase "/g)!.length).toBe(text.match(/^ *esac$/gm)!.length);
    expect(stripQuoted(text)).not.toContain("'");
    if (has('zsh')) expect(spawnSync('zsh', ['-n', script]).status).toBe(0);
  });

  test('HS-15 fish completes; where there is no fish, every line of the script is whole', async () => {
    const script = await scriptOf('parley', 'fish');
    const text = (await parley(['completion', 'fish'])).stdout;
    for (const line of text.split('\n')) expect(stripQuoted(line, true)).not.toContain("'");
    if (!has('fish')) return;
    expect(spawnSync('fish', ['-n', script]).status).toBe(0);
    const ask = (line: string) =>
      execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { encoding: 'utf8' })
        .split('\n')
        .map((offer) => offer.split('\t')[0]);
    expect(ask('parley manifest dif')).toContain('diff');
    expect(ask('parley manifest diff --policy ')).toEqual(expect.arrayContaining(['spec', 'guide']));
  });
});

/** What is left of a script when all that is quoted is taken away. */
function stripQuoted(text: string, isFish = false): string {
  const quoted = isFish ? /'(?:[^'\\]|\\.)*'/g : /'[^']*'|\\'/g;
  return text.replace(/^#.*$/gm, '').replace(quoted, '');
}

test('HS-15 a shell that is not known is a mistake of usage, by its name', async () => {
  const { code, stderr } = await parley(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('tcsh is not a value for shell. Choose one of: bash, zsh, fish.');
  const json = await parley(['completion', 'fish', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({ shell: 'fish', script: expect.stringContaining('complete -c parley') });
});
