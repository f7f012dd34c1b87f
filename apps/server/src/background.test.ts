import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopRunning } from './background.ts';

test('HS-20 a server on another host: nothing here is signalled because it has the same number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-stop-'));
  const innocent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  try {
    const claim = join(folder, `server.lock.${'f'.repeat(16)}.${innocent.pid}.${'0'.repeat(16)}.${'1'.repeat(16)}`);
    writeFileSync(claim, 'their-host');
    writeFileSync(`${claim}.held`, '');
    await expect(stopRunning(folder)).rejects.toMatchObject({
      code: 'SERVER_ELSEWHERE',
      params: { pid: innocent.pid, host: 'their-host', folder },
    });
    expect([innocent.exitCode, innocent.signalCode, innocent.killed]).toEqual([null, null, false]);
  } finally {
    innocent.kill();
    rmSync(folder, { recursive: true });
  }
});
