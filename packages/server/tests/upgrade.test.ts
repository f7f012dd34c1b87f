import { describe, expect, it } from 'vitest';
import { findObstacle } from '../../../scripts/chaos/upgrade/previous.mjs';
import { runUpgrade } from '../../../scripts/chaos/upgrade/run.mjs';
import { createDatabase } from './harness/server.ts';

describe('OP-12 a rolling upgrade', () => {
  it('OP-12 the version before and this one work side by side on one database', async () => {
    expect(await findObstacle()).toBeUndefined();
    const database = await createDatabase();
    try {
      const done = await runUpgrade({ databaseUrl: database.url });
      expect(done.length).toBeGreaterThan(4 * 14);
    } finally {
      await database.drop();
    }
  }, 180_000);
});
