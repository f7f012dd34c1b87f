import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exercise } from './exercise.mjs';
import { makeSettings, startNode } from './nodes.mjs';
import { buildPrevious } from './previous.mjs';

/**
 * A rolling upgrade (OP-12): the version before runs and has data, this one starts next to it and migrates the database,
 * both work on it, each half of every exchange on either; then the old one ends. Returns what was done, and rejects with
 * the first thing that failed.
 */
export async function runUpgrade({ databaseUrl, tell = () => {} }) {
  const settings = makeSettings(databaseUrl);
  const entry = await buildPrevious();
  const done = [];
  const old = await startNode(settings, entry);
  let current;
  const report = async (title, here, there) => {
    tell(title);
    const steps = await exercise({ here: here.url, there: there.url, databaseUrl });
    done.push(...steps.map((step) => `${title}: ${step}`));
  };
  try {
    await report('the old one alone', old, old);
    current = await startNode(settings);
    await report('written on the old, read on the new', old, current);
    await report('written on the new, read on the old', current, old);
    await old.stop();
    await report('the new one alone', current, current);
    return done;
  } catch (error) {
    const words = [old, current].map((node) => node?.words().split('\n').slice(-6).join('\n') ?? '');
    throw new Error(`${error.message}\nthe old server's last words:\n${words[0]}\nthe new one's:\n${words[1]}`, {
      cause: error,
    });
  } finally {
    await Promise.all([old.stop(), current?.stop()]);
  }
}

/** Does it on an embedded Postgres of its own. */
export async function runUpgradeAlone({ tell }) {
  const { startEmbeddedPostgres } = await import('../../../packages/server/dist/storage/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  const postgres = await startEmbeddedPostgres(folder);
  try {
    return await runUpgrade({ databaseUrl: postgres.url, tell });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
