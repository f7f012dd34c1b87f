import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, isLockAbandoned } from '@parley/base/node';
import { findPostmaster } from './cluster.ts';
import { POSTGRES_LOCK } from './lock-folder.ts';

const POLL_MS = 20;
const END_MS = 10_000;

/**
 * Removes temporary clusters whose owner was killed before it could (HS-14): folders with one of these prefixes, as
 * `mkdtemp` names them, with a lock of this machine whose process is gone and last renewed it `idleMs` ago. A Postgres
 * that still runs there is stopped first.
 */
export async function removeAbandonedClusters(
  parent: string,
  { prefixes, idleMs }: { readonly prefixes: readonly string[]; readonly idleMs: number },
): Promise<string[]> {
  const isTemporary = (name: string) =>
    prefixes.some((prefix) => name.startsWith(prefix) && /^\w{6}$/.test(name.slice(prefix.length)));
  const removed: string[] = [];
  for (const name of readdirSync(parent).filter(isTemporary)) {
    const folder = join(parent, name);
    if (!isLockAbandoned(folder, POSTGRES_LOCK, idleMs)) continue;
    if (!(await endPostmaster(join(folder, 'postgres')))) continue;
    rmSync(folder, { recursive: true, force: true });
    removed.push(folder);
  }
  return removed;
}

/** Returns false if one may still be running. */
async function endPostmaster(data: string): Promise<boolean> {
  const found = findPostmaster(data);
  if (found === undefined) return true;
  if (!found.isProven) return false;
  // Nobody needs its data any more.
  process.kill(found.pid, 'SIGQUIT');
  const deadline = Date.now() + END_MS;
  while (isAlive(found.pid) && Date.now() < deadline) await sleep(POLL_MS);
  return !isAlive(found.pid);
}
