import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parley, ROOT, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();

describe('HS-7 init', () => {
  test('writes a manifest without any finding, and nothing beside it', async () => {
    const cwd = join(folder.path, 'fresh');
    mkdirSync(cwd);
    const { code, stdout } = await parley(['manifest', 'init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Wrote manifest.json.');
    expect(readdirSync(cwd)).toEqual(['manifest.json']);
    const check = await parley(['manifest', 'validate', 'manifest.json', '--json'], { cwd });
    expect(JSON.parse(check.stdout)).toEqual({ valid: true, findings: [] });
  });

  test.each(['agent.md', 'agent.zh-CN.md'])('declares the tool that the first agent of %s calls', async (guide) => {
    const text = readFileSync(join(ROOT, 'docs/guides', guide), 'utf8');
    const [, tool, argument] = /callTool\(id, '(\w+)', \{ (\w+):/.exec(text)!;
    const { tools } = JSON.parse((await parley(['manifest', 'init', '-'])).stdout);
    expect(tools).toMatchObject([{ name: tool, input_schema: { required: [argument] } }]);
    expect(text).toContain(`\`${tools[0].permission_scope}\``);
  });

  test('keeps an existing file unless --force is given', async () => {
    const file = folder.write('kept.json', 'mine');
    const refused = await parley(['manifest', 'init', file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const forced = await parley(['manifest', 'init', file, '--yes', '--force', '--json']);
    expect(forced.code).toBe(0);
    expect(JSON.parse(forced.stdout)).toEqual({ file, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(JSON.parse(readFileSync(file, 'utf8')).schema_version).toBe('1.0');
  });

  test('writes to standard output for -, fit for a pipe', async () => {
    const { stdout } = await parley(['manifest', 'init', '-']);
    expect((await parley(['manifest', 'validate', '-'], { input: stdout })).code).toBe(0);
    expect(existsSync(join(folder.path, '-'))).toBe(false);
  });

  test('is exit code 3 where it cannot write', async () => {
    const cases = [join(folder.path, 'missing', 'a.json'), folder.path];
    for (const file of cases) expect((await parley(['manifest', 'init', file])).code).toBe(3);
    const { stdout } = await parley(['manifest', 'init', cases[0]!, '--json']);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'FOLDER_NOT_FOUND', message: expect.any(String) } });
  });
});
