import { spawnSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareSettings } from './settings-file.ts';

const OLD = '01890a5d-ac96-774b-bcce-b302099a8057';
const ID = '01890a5d-ac96-774b-bcce-b302099a8058';
const SECRET = 'whsec_AbC+/xyz0123456789AbC+/xyz0123456789AbC+/xyz=';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-settings-'));
  file = join(folder, '.env');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(settings: Parameters<ReturnType<typeof prepareSettings>['write']>[0], agentId?: string): void {
  const prepared = prepareSettings(file, agentId);
  try {
    prepared.write(settings);
  } finally {
    prepared.discard();
  }
}

/** What a program gets that Node starts with this file. */
function readByNode(...names: string[]): unknown {
  const program = `JSON.stringify(${JSON.stringify(names)}.map((name) => process.env[name]))`;
  const { stdout, stderr } = spawnSync(process.execPath, [`--env-file=${file}`, '-p', program], {
    encoding: 'utf8',
    env: {},
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe('PK-7, RL-1 a file of settings', () => {
  test.each([
    ['a line break that adds NODE_OPTIONS', 'hsk_x\nNODE_OPTIONS=--import=data:text/javascript,0'],
    ['a carriage return', 'hsk_x\rNODE_OPTIONS=1'],
    ['a quote that swallows the lines after it', 'hsk_x"'],
    ['a command of the shell', 'hsk_$(id)'],
    ['a second command', 'hsk_x;id'],
    ['a backtick', 'hsk_`id`'],
    ['a comment', 'hsk_#x'],
    ['a backslash', 'hsk_\\n'],
    ['a space', 'hsk_ x'],
    ['a terminal escape', 'hsk_\u001b[2J'],
    ['nothing', ''],
  ])('is not written with a token that has %s', (_, token) => {
    writeFileSync(file, 'OTHER=1\n');
    for (const name of ['PARLEY_AGENT_TOKEN', 'PARLEY_AGENT_ID', 'PARLEY_WEBHOOK_SECRET', 'PARLEY_URL']) {
      expect(() => write({ PARLEY_URL: 'https://a.example', [name]: token })).toThrow(
        expect.objectContaining({ code: 'SETTING_UNSAFE', params: { name } }),
      );
    }
    expect(readFileSync(file, 'utf8')).toBe('OTHER=1\n');
    expect(readdirSync(folder)).toEqual(['.env']);
  });

  test('has the new values where Node looks: after export, around spaces, in the last of several lines', () => {
    const lines = [
      'PARLEY_URL=https://first.example',
      '# PARLEY_URL=kept',
      `export PARLEY_AGENT_ID=${ID}`,
      '  PARLEY_AGENT_TOKEN = old',
      'PARLEY_URL="https://second.example"',
      'MY_PARLEY_URL=kept',
      'TEXT="several',
      'lines"',
    ];
    writeFileSync(file, lines.join('\r\n'));
    const settings = { PARLEY_URL: 'http://[::1]:8484', PARLEY_AGENT_ID: ID, PARLEY_AGENT_TOKEN: 'hsk_new' };
    write({ ...settings, PARLEY_WEBHOOK_SECRET: SECRET }, ID);
    expect(readByNode(...Object.keys(settings), 'PARLEY_WEBHOOK_SECRET', 'MY_PARLEY_URL', 'TEXT')).toEqual([
      ...Object.values(settings),
      SECRET,
      'kept',
      'several\nlines',
    ]);
    expect(readFileSync(file, 'utf8').split('\n')).toEqual([
      '# PARLEY_URL=kept',
      `export PARLEY_AGENT_ID=${ID}`,
      'PARLEY_AGENT_TOKEN=hsk_new',
      'PARLEY_URL=http://[::1]:8484',
      'MY_PARLEY_URL=kept',
      'TEXT="several',
      'lines"',
      `PARLEY_WEBHOOK_SECRET=${SECRET}`,
      '',
    ]);
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['after export', `export PARLEY_AGENT_ID=${OLD}\n`],
    ['around spaces', `PARLEY_AGENT_ID = ${OLD}\n`],
    ['in quotes', `PARLEY_AGENT_ID='${OLD}'\n`],
    ['before an empty one', `PARLEY_AGENT_ID=${OLD}\nPARLEY_AGENT_ID=\n`],
  ])('that names another agent %s is refused, so that its token is not lost', (_, text) => {
    writeFileSync(file, text);
    expect(() => prepareSettings(file, ID)).toThrow(expect.objectContaining({ code: 'SETTINGS_OF_OTHER_AGENT' }));
    expect(() => prepareSettings(file, undefined)).toThrow(expect.objectContaining({ code: 'SETTING_EXISTS' }));
    expect(readFileSync(file, 'utf8')).toBe(text);
    prepareSettings(file, OLD).discard();
  });

  test('with the name of a setting inside a quoted text is refused before anything is created', () => {
    writeFileSync(file, 'NOTE="an example:\nPARLEY_AGENT_ID=\n"\n');
    expect(() => prepareSettings(file, undefined)).toThrow(expect.objectContaining({ code: 'SETTINGS_UNCLEAR' }));
  });

  test('is not a pipe, which would never end, a device, a folder or a link to another file', () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'OTHER=1\n');
    symlinkSync(target, join(folder, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(spawnSync('mkfifo', [join(folder, 'pipe')]).status).toBe(0);
    const codeOf = (path: string) => {
      try {
        prepareSettings(path, undefined).discard();
        return undefined;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect(codeOf(join(folder, 'pipe'))).toBe('FILE_NOT_REGULAR');
    expect(codeOf('/dev/null')).toBe('FILE_NOT_REGULAR');
    expect(codeOf(join(folder, 'link'))).toBe('FILE_IS_LINK');
    expect(codeOf(join(folder, 'dangling'))).toBe('FILE_IS_LINK');
    expect([codeOf(folder), codeOf('')]).toEqual(['FILE_IS_DIRECTORY', 'FILE_IS_DIRECTORY']);
    expect(codeOf(join(target, '.env'))).toBe('FOLDER_NOT_FOUND');
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'link', 'pipe', 'target']);
  });
});
