import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuditLog } from '@parley/client';
import { generateEd25519 } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { openFileStore } from '@parley/messenger/node';
import { type BenchRow, compare } from './measure.ts';

const TOGETHER = 64;
const ROUNDS = 15;
const WARM_UP = 3;
const VALUE = 'x'.repeat(1024);
/** Joined batches must beat batches that each wait for the disk. The log also hashes, chains and signs. */
const AIM_JOINED = 5;
const AIM_AUDIT = 0.3;

/** Writes batches of 1 KB, 64 at a time, each durable when done (EE-7, CG-12), in wall-clock time because of the disk. */
export async function* run(): AsyncIterable<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const store = await openFileStore(join(folder, 'store'));
  const log = await openAuditLog({ store, crypto: nodeCrypto, identity: generateEd25519(nodeCrypto) });
  const file = openSync(join(folder, 'plain'), 'a');
  let count = 0;
  const together = (work: () => Promise<void>) => () => Promise.all(Array.from({ length: TOGETHER }, work));
  const contenders = {
    store: together(() => store.write(new Map([[`key/${count++ % 1_000}`, VALUE]]))),
    audit: together(() => log.append(makeEntry(count++))),
    alone: async () => {
      for (let batch = 0; batch < TOGETHER; batch++) {
        writeSync(file, VALUE);
        fdatasyncSync(file);
      }
    },
  };
  const samples = { store: [] as number[], audit: [] as number[], alone: [] as number[] };
  const names = Object.keys(contenders) as (keyof typeof contenders)[];
  try {
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      for (const name of names) {
        const start = performance.now();
        await contenders[name]();
        if (round >= 0) samples[name].push((performance.now() - start) / 1_000 / TOGETHER);
      }
    }
  } finally {
    await store.close();
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
  yield compare('file store', '1 KB batches, 64 at a time; one fdatasync each', {
    ours: samples.store,
    peer: samples.alone,
    atLeast: AIM_JOINED,
  });
  yield compare('audit append', '64 at a time; 1 KB batches of the store', {
    ours: samples.audit,
    peer: samples.store,
    atLeast: AIM_AUDIT,
  });
}

function makeEntry(n: number) {
  return {
    call_id: `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    agent_id: '01900000-0000-7000-8000-00000000000a',
    conversation_id: '01900000-0000-7000-8000-00000000000b',
    tool_name: 'read_file',
    scope: 'filesystem:read',
    arguments_digest: 'a'.repeat(64),
    status: 'ok',
    manifest_hash: 'b'.repeat(64),
    approval: 'window',
    timestamp: new Date().toISOString(),
  } as const;
}
