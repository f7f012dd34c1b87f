import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findObstacle } from '../../../scripts/chaos/upgrade/previous.mjs';
import { runUpgrade } from '../../../scripts/chaos/upgrade/run.mjs';
import { createDatabase } from './harness/server.ts';

const WORKFLOWS = fileURLToPath(new URL('../../../.github/workflows', import.meta.url));

describe('OP-12 a rolling upgrade', () => {
  it('OP-12 the version before and this one work side by side on one database', async () => {
    const obstacle = await findObstacle();
    if (obstacle !== undefined) throw new Error(obstacle);
    const database = await createDatabase();
    try {
      const done = await runUpgrade({ databaseUrl: database.url });
      expect(done.length).toBeGreaterThan(4 * 14);
    } finally {
      await database.drop();
    }
  }, 180_000);

  it('OP-12 a clone that lacks the version before is told how to get it', async () => {
    const root = mkdtempSync(join(tmpdir(), 'parley-history-'));
    const git = (folder: string, ...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    const whole = join(root, 'whole');
    try {
      expect(await findObstacle(root)).toContain('Clone the repository with its history');
      git(root, 'init', whole);
      const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
      for (const message of ['first', 'second']) git(whole, ...author, 'commit', '--allow-empty', '-m', message);
      expect(await findObstacle(whole)).toContain('without --depth');
      git(root, 'clone', '--depth', '1', pathToFileURL(whole).href, 'shallow');
      expect(await findObstacle(join(root, 'shallow'))).toContain('git fetch --unshallow');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('OP-12 every job of a workflow that runs the tests fetches the history', () => {
    const jobs = readdirSync(WORKFLOWS).flatMap((file) =>
      // A job is what stands two spaces deep.
      readFileSync(join(WORKFLOWS, file), 'utf8').split(/^ {2}(?=[\w-]+:$)/m),
    );
    const testing = jobs.filter((job) => /- run: npm (?:run )?test\b/.test(job));
    expect(testing.length).toBeGreaterThan(0);
    for (const job of testing) expect(job).toContain('fetch-depth: 0');
  });
});
