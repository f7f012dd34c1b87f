import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../packages/published.mjs';
import { demand } from './demand.mjs';
import { readCommit } from './git.mjs';

const NOTE = 'scripts/chaos/upgrade/previous-version.json';
const MIGRATIONS = 'packages/server/src/storage/migrations.ts';

/** Whether upgrades are tried from the last release (OP-12), or from one that nobody upgrades from any more. */
export async function findStalePrevious(root) {
  if (!existsSync(join(root, NOTE))) return [];
  const tag = `v${readJson(join(root, 'package.json')).version}`;
  const commit = await readCommit(root, `refs/tags/${tag}`);
  if (commit === undefined || readJson(join(root, NOTE)).commit === commit) return [];
  const migrations = await demand(root, ['git', 'show', `${commit}:${MIGRATIONS}`]);
  const last_migration = [...migrations.matchAll(/^ {2}'(\d{4}_\w+)': `/gm)].at(-1)?.[1];
  const wanted = JSON.stringify({ commit, last_migration });
  return [
    `${NOTE} does not name the last release, ${tag}: make it ${wanted}, and remove what expand.test.ts then says is no longer needed.`,
  ];
}
