import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from './files.mjs';

const folders = [];

/** What the linter says about a file, as `npm run verify` would ask it. */
function lint(source) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-lint-'));
  folders.push(folder);
  writeFileSync(join(folder, 'subject.ts'), source);
  const linter = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const args = [linter, '--type-aware', '--format=unix', '-c', join(ROOT, '.oxlintrc.json'), folder];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return { ok: status === 0, rules: [...stdout.matchAll(/typescript\(([\w-]+)\)/g)].map(([, rule]) => rule) };
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('HS-21 no promise is forgotten', () => {
  const save = 'declare function save(): Promise<void>;\n';

  it('HS-21 finds one that nobody waits for, by its type', () => {
    expect(lint(`${save}save();\n`)).toEqual({ ok: false, rules: ['no-floating-promises'] });
  });

  it('HS-21 finds one that goes to a caller who expects nothing back', () => {
    const source = `${save}declare function on(listener: () => void): void;\non(async () => { await save(); });\n`;
    expect(lint(source)).toEqual({ ok: false, rules: ['no-misused-promises'] });
  });

  it('HS-21 is content with one that is awaited, handled, or let go by name', () => {
    const source = `${save}export async function all() {\n  await save();\n  save().catch(() => {});\n  void save();\n}\n`;
    expect(lint(source)).toEqual({ ok: true, rules: [] });
  });
});
