import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@parley/testkit/until';
import { expect, it } from 'vitest';
import { startChildAgent } from './child-agent.ts';

const MB = 1024 * 1024;

it('OP-14 the log of an agent beside the server does not grow without end, not while it runs either', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-child-'));
  const program = join(dataDir, 'agent.mjs');
  writeFileSync(program, "setInterval(() => console.log('here'), 20)");
  const log = join(dataDir, 'agent.log');
  writeFileSync(log, '');
  truncateSync(log, 21 * MB);
  const agent = startChildAgent({ name: 'agent', program, dataDir, env: {} });
  try {
    const isRotated = () =>
      until(() => {
        expect(readFileSync(log, 'utf8')).toMatch(/^here/);
        expect(statSync(`${log}.1`).size).toBeGreaterThanOrEqual(21 * MB);
      });
    await isRotated();
    rmSync(`${log}.1`);
    truncateSync(log, 21 * MB);
    await isRotated();
  } finally {
    await agent.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
