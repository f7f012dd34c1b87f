import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BROKEN, DEMOBOT, NEXT, parley, useBuiltCommand } from './run.ts';

useBuiltCommand();
const ANSI = '\u001b[';

describe('DF-19 --json of diff', () => {
  test('prints the verdict, the hashes, the scopes and one record per change', async () => {
    const { code, stdout } = await parley(['manifest', 'diff', DEMOBOT, NEXT, '--json']);
    const result = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(Object.keys(result)).toEqual([
      'breaking',
      'policy',
      'old_hash',
      'new_hash',
      'scopes_requiring_reauth',
      'changes',
    ]);
    expect(result).toMatchObject({
      breaking: true,
      policy: 'spec',
      old_hash: (await parley(['manifest', 'hash', DEMOBOT])).stdout.trim(),
      new_hash: (await parley(['manifest', 'hash', NEXT])).stdout.trim(),
      scopes_requiring_reauth: ['filesystem:write', 'network:http'],
    });
    const allowed = ['code', 'path', 'tool', 'scope', 'breaking', 'consent', 'message', 'witness'];
    for (const change of result.changes) {
      expect(Object.keys(change).filter((key) => !allowed.includes(key))).toEqual([]);
      expect(change).toMatchObject({
        code: expect.stringMatching(/^[a-z_]+\.[a-z_]+$/),
        path: expect.stringMatching(/^\//),
        breaking: expect.any(Boolean),
        consent: change.breaking ? 'reauth' : expect.stringMatching(/^(notice|none)$/),
        message: expect.any(String),
      });
    }
    expect(result.changes).toContainEqual(
      expect.objectContaining({
        code: 'schema.required_added',
        tool: 'fetch_url',
        scope: 'network:http',
        breaking: true,
        consent: 'reauth',
        witness: { url: expect.any(String) },
      }),
    );
  });

  test('says what the policy makes of it', async () => {
    const { stdout } = await parley(['manifest', 'diff', DEMOBOT, NEXT, '--policy', 'guide', '--json']);
    const result = JSON.parse(stdout);
    expect(result.policy).toBe('guide');
    const verdict = (code: string) => result.changes.find((change: { code: string }) => change.code === code).breaking;
    expect([verdict('schema.enum_added'), verdict('scope.added')]).toEqual([true, false]);
  });
});

describe('HS-7 exit codes of diff', () => {
  test('1 when breaking, 0 with --no-fail, 0 when not breaking', async () => {
    expect((await parley(['manifest', 'diff', DEMOBOT, NEXT])).code).toBe(1);
    expect((await parley(['manifest', 'diff', DEMOBOT, NEXT, '--no-fail'])).code).toBe(0);
    const milder = readFileSync(DEMOBOT, 'utf8').replace('"timeout_ms": 5000', '"timeout_ms": 6000');
    const { code, stdout } = await parley(['manifest', 'diff', DEMOBOT, '-'], { input: milder });
    expect(code).toBe(0);
    expect(stdout).toContain('Not breaking');
  });

  test('1 for a manifest that is not valid, with its findings on standard error, also with --no-fail', async () => {
    const { code, stdout, stderr } = await parley(['manifest', 'diff', DEMOBOT, BROKEN, '--no-fail']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/broken\.json:6:7: error: .*TOOL_NAME_INVALID/);
    const json = JSON.parse((await parley(['manifest', 'diff', DEMOBOT, BROKEN, '--json'])).stdout);
    expect(json).toMatchObject({
      error: { code: 'MANIFEST_INVALID' },
      files: [
        { file: DEMOBOT, valid: true },
        { file: BROKEN, valid: false },
      ],
    });
  });

  test('2 for one file, an unknown policy, or two times standard input', async () => {
    for (const args of [[DEMOBOT], [DEMOBOT, NEXT, '--policy', 'mine'], ['-', '-'], [DEMOBOT, NEXT, BROKEN]]) {
      expect((await parley(['manifest', 'diff', ...args])).code).toBe(2);
    }
  });

  test('3 for a file that is not there', async () => {
    expect((await parley(['manifest', 'diff', DEMOBOT, 'nowhere.json'])).code).toBe(3);
  });
});

describe('HS-7 the diff in a terminal', () => {
  test('gives the verdict first, then groups, whatever is breaking before the rest', async () => {
    const { stdout } = await parley([
      'manifest',
      'diff',
      'examples/manifests/demobot.json',
      'examples/manifests/demobot-next.json',
    ]);
    const lines = stdout.split('\n');
    expect(lines[1]).toBe('Breaking: people must agree again to filesystem:write, network:http.');
    const order = ['Tool fetch_url', 'Tool read_file', 'Tool send_notification'].map((title) => lines.indexOf(title));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    expect(stdout).toMatch(/demobot-next\.json:19:\d+ schema\.required_added/);
    expect(stdout).toMatch(/demobot\.json:16:\d+ schema\.enum_removed/);
    expect(stdout).toMatch(/^3 breaking changes, \d+ other changes\. Policy: spec\.$/m);
  });

  test('says so when nothing changed but spaces', async () => {
    const compact = JSON.stringify(JSON.parse(readFileSync(DEMOBOT, 'utf8')));
    const { code, stdout } = await parley(['manifest', 'diff', DEMOBOT, '-'], { input: compact });
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing changed');
  });

  test('has no colours in a pipe; FORCE_COLOR adds them, NO_COLOR and FORCE_COLOR=0 do not', async () => {
    const painted = async (env: Record<string, string>) =>
      (await parley(['manifest', 'diff', DEMOBOT, NEXT], { env })).stdout.includes(ANSI);
    expect(await painted({})).toBe(false);
    expect(await painted({ NO_COLOR: '1' })).toBe(false);
    expect(await painted({ FORCE_COLOR: '0' })).toBe(false);
    expect(await painted({ FORCE_COLOR: '1' })).toBe(true);
    const json = await parley(['manifest', 'diff', DEMOBOT, NEXT, '--json'], { env: { FORCE_COLOR: '1' } });
    expect(json.stdout).not.toContain(ANSI);
  });

  test('is Chinese with --locale zh-CN, the messages of --json too', async () => {
    const { stdout } = await parley(['manifest', 'diff', DEMOBOT, NEXT, '--locale', 'zh-CN']);
    expect(stdout).toContain('不兼容：用户需要重新授权 filesystem:write、network:http。');
    const json = JSON.parse((await parley(['manifest', 'diff', DEMOBOT, NEXT, '--locale', 'zh-CN', '--json'])).stdout);
    for (const change of json.changes) expect(change.message).toMatch(/\p{Script=Han}/u);
  });
});
