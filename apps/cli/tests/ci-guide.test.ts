import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BROKEN, DEMOBOT, NEXT, ROOT, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
const work = join(folder.path, 'work');

/** The guide pins the version that it came with. */
const PROGRAM = /'(@parley\/cli@[\d.]+)'/.exec(readFileSync(join(ROOT, 'docs/guides/ci.md'), 'utf8'))![1]!;

/** The script of the workflow’s last step, exactly as the guide prints it. */
function readScript(): string {
  const guide = readFileSync(join(ROOT, 'docs/guides/ci.md'), 'utf8');
  const block = /^( +)run: \|\n((?:\1 .*\n|\n)+)/m.exec(guide)!;
  return block[2]!.replaceAll(`\n${block[1]}  `, '\n').trimStart();
}

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...identity, '-C', work, ...args], { stdio: 'ignore' });
}

function runStep(manifest: string, expected: boolean) {
  cpSync(manifest, join(work, 'manifest.json'));
  const summary = join(folder.path, 'summary.md');
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', readScript()], {
    cwd: work,
    encoding: 'utf8',
    env: {
      PATH: `${join(folder.path, 'bin')}:${process.env.PATH ?? ''}`,
      PARLEY: PROGRAM,
      MANIFEST: 'manifest.json',
      GITHUB_BASE_REF: 'main',
      GITHUB_STEP_SUMMARY: summary,
      EXPECTED: `${expected}`,
    },
  });
  return { status, stdout, stderr };
}

describe('HS-7 the workflow of the CI guide', () => {
  beforeAll(() => {
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', work]);
    // In place of npm, which would fetch what it is told to: the program that was built here.
    mkdirSync(join(folder.path, 'bin'));
    const npx = `#!/bin/sh\n[ "$1 $2" = "--yes ${PROGRAM}" ] || exit 9\nshift 2\nexec node '${join(ROOT, 'apps/cli/bin/parley.js')}' "$@"\n`;
    writeFileSync(join(folder.path, 'bin', 'npx'), npx, { mode: 0o755 });
    git('remote', 'add', 'origin', work);
    git('commit', '--quiet', '--allow-empty', '-m', 'start');
  });

  test('pins this very version, which a release renews (PK-8)', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'apps/cli/package.json'), 'utf8'));
    expect(PROGRAM).toBe(`@parley/cli@${version}`);
  });

  test('passes a manifest that is new', () => {
    expect(runStep(DEMOBOT, false)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('nothing to compare with'),
    });
    git('add', 'manifest.json');
    git('commit', '--quiet', '-m', 'manifest');
  });

  test('fails a breaking one, and passes it with the label', () => {
    expect(runStep(NEXT, false)).toMatchObject({ status: 1, stdout: expect.stringContaining('Breaking:') });
    expect(readFileSync(join(folder.path, 'summary.md'), 'utf8')).toContain('Breaking:');
    expect(runStep(NEXT, true)).toMatchObject({ status: 0, stdout: expect.stringContaining('Breaking:') });
  });

  test('passes an unchanged one, and fails one that is not valid even with the label', () => {
    expect(runStep(DEMOBOT, false)).toMatchObject({ status: 0, stdout: expect.stringContaining('Nothing changed') });
    expect(runStep(BROKEN, true).status).toBe(1);
  });
});
