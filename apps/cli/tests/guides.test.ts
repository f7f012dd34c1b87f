import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parley, ROOT, useBuiltCommand } from './run.ts';

useBuiltCommand();

test.each(['manifests.md', 'manifests.zh-CN.md'])('HS-7 the guide %s shows what the command prints', async (name) => {
  const guide = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
  const [, command, ...shown] = /```console\n\$ npx parley (.*)\n([\s\S]*?)```/.exec(guide)!;
  const { stdout } = await parley(command!.split(' '));
  const parts = shown
    .join('')
    .split(/\n|…/)
    .map((part) => part.trim());
  for (const part of parts) expect(stdout).toContain(part);
  expect(parts.filter((part) => part !== '').length).toBeGreaterThan(3);
});

test('HS-7 the manifest that the guides print is valid, without a warning', async () => {
  for (const name of ['manifests.md', 'manifests.zh-CN.md']) {
    const guide = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');
    const { stdout } = await parley(['manifest', 'validate', '--json'], {
      input: /```json\n([\s\S]*?)```/.exec(guide)![1]!,
    });
    expect(JSON.parse(stdout)).toEqual({ valid: true, findings: [] });
  }
});
