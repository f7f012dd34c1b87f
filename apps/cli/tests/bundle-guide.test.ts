import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, roleos, useBuiltCommand } from './run.ts';

useBuiltCommand();

describe.each(['bundles.md', 'bundles.zh-CN.md'])('BA-8 the guide %s', (name) => {
  const guide = readFileSync(join(ROOT, 'docs/guides', name), 'utf8');

  test('BA-8 shows what the command prints', async () => {
    const [, command, shown] = /```console\n\$ npx roleos (.*)\n([\s\S]*?)```/.exec(guide)!;
    const { stdout } = await roleos(command!.split(' '));
    const parts = shown!.split(/\n|…/).map((part) => part.trim());
    for (const part of parts.filter((text) => text !== ']')) expect(stdout).toContain(part);
    expect(parts.length).toBeGreaterThan(5);
  });

  test('BA-8 prints a bundle that is valid without a warning', async () => {
    const [, input] = /```json\n([\s\S]*?)```/.exec(guide)!;
    const { stdout } = await roleos(['validate', '--json'], { input: input! });
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, passedLevels: 6, errors: [], warnings: [] });
  });
});
