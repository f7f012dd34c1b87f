import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS } from './errors.ts';
import { en } from './messages/en.ts';
import type { MessageKey } from './messages/index.ts';
import { zhCN } from './messages/zh-CN.ts';
import { fillOwnCommands, isOnPath, ownCommand } from './own-command.ts';
import { OWN_PACKAGE } from './own-package.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-path-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function makeFolder(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
const OWN = join(OWN_PACKAGE.folder, 'bin/parley.js');

describe('PK-4 a command that we tell a person to type starts ours', () => {
  test('PK-4 the bare name is for where the shell finds this very package first', () => {
    const [ours, strange] = [makeFolder('ours'), makeFolder('strange')];
    symlinkSync(OWN, join(ours, 'parley'));
    writeFileSync(join(strange, 'parley'), '#!/bin/sh\n');
    chmodSync(join(strange, 'parley'), 0o755);
    const path = (...folders: string[]) => folders.join(delimiter);
    expect(isOnPath('parley', path(root, '', ours, strange))).toBe(true);
    expect(isOnPath('parley', path(strange, ours))).toBe(false);
    expect(isOnPath('roleos', ours)).toBe(false);
    expect(isOnPath('parley', '')).toBe(false);
  });

  test('PK-4 what npm puts on the PATH of a program does not count', () => {
    const folder = makeFolder('node_modules/.bin');
    symlinkSync(OWN, join(folder, 'parley'));
    expect(isOnPath('parley', folder)).toBe(false);
  });

  test('PK-4 only the first word is the program', () => {
    const [parley, roleos] = [ownCommand('parley'), ownCommand('roleos')];
    expect(ownCommand('parley bundle validate parley')).toBe(`${parley} bundle validate parley`);
    expect(ownCommand('parleying')).toBe('parleying');
    expect(fillOwnCommands('{parley} a, {roleos} b, {file}')).toBe(`${parley} a, ${roleos} b, {file}`);
  });

  test('PK-4 no sentence but help names a program as it may not be found', () => {
    const keys = (Object.keys(en) as MessageKey[]).filter((key) => !key.startsWith('help.'));
    const texts = keys.flatMap((key) => [en[key], zhCN[key]]);
    const errors = Object.values(ERRORS).flatMap(({ text }) => Object.values<string>(text));
    const bare = /(?<![\w/@{-])(?:parley|roleos) [a-z]|npx /;
    expect([...texts, ...errors].filter((text) => bare.test(text))).toEqual([]);
  });
});
