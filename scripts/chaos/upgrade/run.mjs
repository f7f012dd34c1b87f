import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exercise } from './exercise.mjs';
import { makeSettings, startNode } from './nodes.mjs';
import { buildPrevious } from './previous.mjs';
import { fill, readCounted, startTraffic } from './traffic.mjs';

/** So few that a test can wait for them, and enough for whoever reads them all behind a lock. */
const MESSAGES = 100_000;
const COUNT_MS = 60_000;

/**
 * A rolling upgrade (OP-12): the version before runs and has data, this one starts next to it and migrates the database
 * while people go on talking, both work on it, each half of every exchange on either; then the old one ends. Returns what
 * was done, and rejects with the first thing that failed.
 */
export async function runUpgrade({ databaseUrl, messages = MESSAGES, tell = () => {} }) {
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
    const before = await fill(databaseUrl, messages);
    current = await migrateUnderLoad({ old, settings, tell });
    await report('written on the old, read on the new', old, current);
    await report('written on the new, read on the old', current, old);
    await old.stop();
    await report('the new one alone', current, current);
    await waitUntilCounted(databaseUrl, before);
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

async function migrateUnderLoad({ old, settings, tell }) {
  const traffic = await startTraffic(old.url);
  try {
    await traffic.more(50);
    const began = performance.now();
    const current = await startNode(settings);
    const seconds = Math.round((performance.now() - began) / 1_000);
    await traffic.more(50);
    const { sent, longestMs } = await traffic.stop();
    tell(`the new one started within ${seconds} s; the old one took ${sent} messages, the slowest in ${longestMs} ms`);
    return current;
  } catch (error) {
    await traffic.stop().catch(() => {});
    throw error;
  }
}

async function waitUntilCounted(databaseUrl, before) {
  for (const deadline = performance.now() + COUNT_MS; ; await sleep(200)) {
    const counted = await readCounted(databaseUrl, before);
    if (counted === before.bytes) return;
    if (performance.now() > deadline) throw new Error(`${counted} of ${before.bytes} bytes of before were counted`);
  }
}

/** Does it on an embedded Postgres of its own. */
export async function runUpgradeAlone({ tell, messages }) {
  const { startEmbeddedPostgres } = await import('../../../packages/server/dist/storage/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  const postgres = await startEmbeddedPostgres(folder);
  try {
    return await runUpgrade({ databaseUrl: postgres.url, tell, messages });
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
