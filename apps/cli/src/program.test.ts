import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { displayWidth } from './fit-text.ts';
import { wordsFor } from './messages/index.ts';
import { createProgram } from './program.ts';

const NAMES = [
  'login',
  'register',
  'logout',
  'whoami',
  'devices',
  'recovery',
  'account',
  'contacts',
  'chat',
  'audit',
  'agent',
];

function* walk(command: Command): Generator<Command> {
  yield command;
  for (const child of command.commands) yield* walk(child);
}

function helpOf(locale: 'en' | 'zh-CN'): ReadonlyMap<string, string> {
  let printed = '';
  const program = createProgram({
    words: wordsFor(locale),
    paint: (_, text) => text,
    settle: () => {},
    collect: (text) => {
      printed += text;
    },
  });
  const pages = new Map<string, string>();
  for (const command of NAMES.flatMap((name) => [...walk(program.commands.find((one) => one.name() === name)!)])) {
    printed = '';
    command.outputHelp();
    pages.set(`${command.parent!.name()} ${command.name()}`, printed);
  }
  return pages;
}

describe('HS-7 the help of the commands for people and agents', () => {
  const pages = { en: helpOf('en'), 'zh-CN': helpOf('zh-CN') };

  test('HS-7 has a page for each, in both languages, that fits into 80 columns', () => {
    expect([...pages.en.keys()]).toEqual([...pages['zh-CN'].keys()]);
    for (const [name, page] of [...pages.en, ...pages['zh-CN']]) {
      const wide = page.split('\n').filter((line) => displayWidth(line) > 80);
      expect([name, wide]).toEqual([name, []]);
    }
  });

  test('HS-7 says what the exit codes are, or which commands there are', () => {
    for (const [name, page] of pages.en) expect([name, /Exit codes:|Commands:/.test(page)]).toEqual([name, true]);
    for (const [name, page] of pages['zh-CN']) expect([name, /退出码|命令：/.test(page)]).toEqual([name, true]);
  });
});
