import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BROKEN, DEMOBOT, EXAMPLES, NEXT, parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();

describe('HS-7 exit codes of validate', () => {
  test('0 for a valid manifest', async () => {
    const { code, stdout, stderr } = await parley(['manifest', 'validate', DEMOBOT]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('demobot.json is valid.');
  });

  test('1 for one that is not, also among valid ones', async () => {
    expect((await parley(['manifest', 'validate', BROKEN])).code).toBe(1);
    const { code, stdout } = await parley(['manifest', 'validate', DEMOBOT, BROKEN, NEXT]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^3 files: 2 valid, 1 not valid\.$/m);
  });

  test('0 for warnings alone', async () => {
    const text = readFileSync(DEMOBOT, 'utf8').replace('"agent_version"', '"note": 1, "agent_version"');
    const { code, stdout } = await parley(['manifest', 'validate'], { input: text });
    expect(code).toBe(0);
    expect(stdout).toMatch(/<stdin> is valid, with 1 warning\./);
  });

  test('3 for a file that is not there, a directory, and the rest is still checked', async () => {
    const { code, stdout } = await parley(['manifest', 'validate', DEMOBOT, 'nowhere.json', EXAMPLES]);
    expect(code).toBe(3);
    expect(stdout).toContain('demobot.json is valid.');
    expect(stdout).toContain('There is no file nowhere.json.');
    expect(stdout).toContain('is a folder');
    const single = await parley(['manifest', 'validate', EXAMPLES]);
    expect(single).toMatchObject({ code: 3, stdout: '' });
    expect(single.stderr).toContain('is a folder');
  });

  test('2 for standard input asked for twice', async () => {
    const { code, stderr } = await parley(['manifest', 'validate', '-', '-']);
    expect(code).toBe(2);
    expect(stderr).toContain('only once');
  });
});

describe('HS-7 --json of validate', () => {
  test('prints { valid, findings } for one file', async () => {
    const { code, stdout } = await parley(['manifest', 'validate', BROKEN, '--json']);
    const result = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(Object.keys(result)).toEqual(['valid', 'findings']);
    expect(result.valid).toBe(false);
    for (const finding of result.findings) {
      expect(Object.keys(finding)).toEqual(['code', 'severity', 'path', 'message', 'params']);
    }
    expect(result.findings).toContainEqual({
      code: 'TOOL_NAME_INVALID',
      severity: 'error',
      path: '/tools/0/name',
      message: expect.stringContaining('ReadFile'),
      params: { name: 'ReadFile' },
    });
  });

  test('prints { valid, files } for several, what could not be read among them', async () => {
    const { code, stdout } = await parley(['manifest', 'validate', DEMOBOT, 'nowhere.json', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      files: [
        { file: DEMOBOT, valid: true, findings: [] },
        {
          file: 'nowhere.json',
          valid: false,
          findings: [],
          error: { code: 'FILE_NOT_FOUND', message: expect.any(String) },
        },
      ],
    });
  });

  test('prints an error as JSON too, on standard output', async () => {
    const { code, stdout, stderr } = await parley(['--json', 'manifest', 'validate', 'nowhere.json']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'FILE_NOT_FOUND', message: expect.any(String) } });
  });
});

describe('CM-15 findings in the terminal', () => {
  test('stand in the order of the lines, with line and column', async () => {
    const { stdout } = await parley(['manifest', 'validate', 'examples/manifests/broken.json']);
    const places = [...stdout.matchAll(/^examples\/manifests\/broken\.json:(\d+):(\d+): (?:error|warning): /gm)];
    const lines = places.map((match) => Number(match[1]));
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(stdout).toMatch(/broken\.json:6:7: error: .*\[TOOL_NAME_INVALID \/tools\/0\/name\]/);
    expect(stdout).toMatch(/broken\.json:18:5: error: .*\[FIELD_MISSING \/tools\/1\/description_i18n_key\]/);
    expect(stdout).toMatch(/is not valid: \d+ errors, \d+ warnings\./);
  });

  test('name the second of two equal keys', async () => {
    const { code, stdout } = await parley(['manifest', 'validate', '-'], {
      input: '{\n  "tools": [],\n  "tools": []\n}',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^<stdin>:3:3: error: .*tools.*\[JSON_DUPLICATE_KEY \/tools\]$/m);
  });

  test('say what is wrong with a byte-order mark, wrong UTF-8, a binary and nothing at all', async () => {
    const cases: [string | Uint8Array, RegExp][] = [
      ['\ufeff{}', /^<stdin>:1:1: error: .*\[JSON_BOM\]$/m],
      [Uint8Array.of(0x7b, 0x0a, 0x22, 0xff, 0x22, 0x7d), /^<stdin>:2:2: error: .*\[JSON_INVALID_UTF8\]$/m],
      [Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0x00), /^<stdin>:1:1: error: .*\[JSON_SYNTAX\]$/m],
      ['', /^<stdin>:1:1: error: .*\[JSON_SYNTAX\]$/m],
    ];
    for (const [input, line] of cases) {
      const { code, stdout } = await parley(['manifest', 'validate'], { input });
      expect(code).toBe(1);
      expect(stdout).toMatch(line);
    }
  });

  test('come in Chinese with --locale zh-CN and with a Chinese environment', async () => {
    const asked = await parley(['manifest', 'validate', BROKEN, '--locale', 'zh-CN']);
    const implied = await parley(['manifest', 'validate', BROKEN], { env: { LANG: 'zh_CN.UTF-8' } });
    expect(asked.stdout).toBe(implied.stdout);
    expect(asked.stdout).toMatch(/错误: 工具名“ReadFile”/);
    expect(asked.stdout).toMatch(/无效：\d+ 个错误、\d+ 个警告。/);
    const json = JSON.parse((await parley(['manifest', 'validate', BROKEN, '--json', '--locale=zh-CN'])).stdout);
    for (const finding of json.findings) expect(finding.message).toMatch(/\p{Script=Han}/u);
  });

  test('a terminal escape in a manifest or a file name does not reach the terminal', async () => {
    const file = folder.write('evil\u001b[2J.json', JSON.stringify({ 'x\u001b[31m\u009b': 1 }));
    for (const args of [[file], [file, '--json']]) {
      const { stdout, stderr } = await parley(['manifest', 'validate', ...args]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
  });
});

test('HS-7 an input without end or beyond 16 MiB is refused with exit code 1, not read to the end', async () => {
  const { code, stderr } = await parley(['manifest', 'validate'], { input: Buffer.alloc(16 * 1024 * 1024 + 1, ' ') });
  expect(code).toBe(1);
  expect(stderr).toContain('16 MiB');
});
