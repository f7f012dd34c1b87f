import { afterEach, beforeEach, expect, test } from 'vitest';
import { findStalePrevious } from './find-stale-previous.mjs';
import { createRepository } from './fixture.mjs';

const NOTE = 'scripts/chaos/upgrade/previous-version.json';

let repository;
beforeEach(() => {
  repository = createRepository();
  repository.write(
    'packages/server/src/storage/migrations.ts',
    "export const M = {\n  '0001_a': `\n  `,\n  '0002_b': ``,\n};\n",
  );
  repository.write(NOTE, { commit: 'before', last_migration: '0001_a' });
  repository.commit('feat: it has a database');
});
afterEach(() => repository.remove());

test('PK-8 OP-12 after a release the next one is refused until upgrades are tried from that one', async () => {
  expect(await findStalePrevious(repository.root)).toEqual([]);
  repository.git('tag', '--annotate', 'v0.1.0', '--message', 'v0.1.0');
  const commit = repository.git('rev-parse', 'HEAD');
  repository.write('other.txt', 'since then');
  repository.commit('feat: more');
  const [missing, ...others] = await findStalePrevious(repository.root);
  expect(others).toEqual([]);
  const wanted = { commit, last_migration: '0002_b' };
  expect(missing).toContain(JSON.stringify(wanted));
  repository.write(NOTE, wanted);
  expect(await findStalePrevious(repository.root)).toEqual([]);
});
