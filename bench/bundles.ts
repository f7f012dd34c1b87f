import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { activateBundle, type KitFile } from '@parley/bundles';
import { validateBundle } from '@parley/documents/bundle';
import { type BenchRow, compare, measure } from './measure.ts';

const ROLES = 50;
const KITS = 20;
const FILES_PER_KIT = 10;
const ROUNDS = 9;
/** An activation may take up to twice as long as copying its files. */
const AIM = 0.5;

/** Measures validation (BV-1 to BV-6), and compares activation (BA-3) with a durable copy without checks or undo. */
export async function* run(): AsyncIterable<BenchRow> {
  yield measureValidation();
  yield await measureActivation();
}

function makeBundle(roles: number, kits: number): Record<string, unknown> {
  const ids = Array.from({ length: roles }, (_, index) => `role-${index}`);
  return {
    rktVersion: '1.0',
    id: 'bench',
    version: '1.0.0',
    name: 'Bench',
    summary: 'A large bundle.',
    targetUser: 'Nobody',
    author: 'Bench',
    mode: 'team',
    roles: ids.map((id, index) => ({
      id,
      label: `Role ${index}`,
      purpose: 'Does its part of the work',
      thinkingLevel: 'normal',
      isEntry: index === 0,
      responsibilities: ['Reads', 'Writes'],
      boundaries: ['Never deletes'],
      kits: [`kit-${index % kits}`],
    })),
    kits: Array.from({ length: kits }, (_, index) => ({
      id: `kit-${index}`,
      label: `Kit ${index}`,
      description: 'One of many',
      capabilities: ['Search', 'Read'],
      riskLevel: 'medium',
      permissions: [{ type: 'network', target: 'https://api.example.com', mode: 'read' }],
    })),
    teams: [
      {
        id: 'all',
        label: 'All',
        topology: 'pipeline',
        entryRoleId: ids[0],
        members: ids.map((id) => ({ id })),
        handoffGraph: ids.slice(1).map((target, index) => ({ source: ids[index], target, type: 'sequential' })),
        terminationRules: ['Everything is done'],
      },
    ],
    rollbackProfile: { snapshotEnabled: true, strategy: 'restore-snapshot' },
  };
}

function measureValidation(): BenchRow {
  const bundle = makeBundle(ROLES, KITS);
  const text = JSON.stringify(bundle);
  const validate = () => {
    if (!validateBundle(bundle).valid) throw new Error('the bundle should be valid');
  };
  const { ours, limit } = measure({ ours: validate, limit: () => JSON.parse(text) });
  const size = `${ROLES} roles, ${(text.length / 1000).toFixed(0)} KB`;
  return compare('validate a bundle', `${size}, JSON.parse alone (limit)`, { ours, peer: limit });
}

async function measureActivation(): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const manifest = makeBundle(1, KITS);
  const kitFiles = new Map(
    Array.from({ length: KITS }, (_, kit) => {
      const files = Array.from({ length: FILES_PER_KIT }, (__, index): KitFile => {
        const path = index === 0 ? 'SKILL.md' : `lib/file-${index}.js`;
        return { path, bytes: Buffer.alloc(4_000, `${kit} ${index} `) };
      });
      return [`kit-${kit}`, files] as const;
    }),
  );
  const seconds: { ours: number; peer: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = join(folder, `ours-${round}`);
      mkdirSync(ours);
      const activate = async () => {
        const result = await activateBundle({ manifest, kitFiles, roots: { workspace: ours } });
        if (!result.ok) throw new Error(result.failure.code);
      };
      const copy = () => copyAll(join(folder, `peer-${round}`), kitFiles);
      // They take turns in going first, so that the disk is not always busy for the same one.
      const pair =
        round % 2 === 0 ? { ours: await time(activate), peer: await time(copy) } : await reversed(activate, copy);
      if (round > 0) seconds.push(pair);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = median(seconds.map(({ ours, peer }) => peer / ours));
  return {
    name: 'activate a bundle',
    detail: `${KITS * FILES_PER_KIT} files, a copy of them with fsync (limit)`,
    ours: median(seconds.map(({ ours }) => ours)) * 1000,
    peer: median(seconds.map(({ peer }) => peer)) * 1000,
    unit: 'ms',
    ratio,
    aim: `≥ ${AIM}×`,
    met: ratio >= AIM,
  };
}

async function reversed(
  activate: () => Promise<void>,
  copy: () => Promise<void>,
): Promise<{ ours: number; peer: number }> {
  const peer = await time(copy);
  return { ours: await time(activate), peer };
}

/** Copies one file after the other as a script would: write, sync, and finally sync the folders. */
async function copyAll(root: string, kits: ReadonlyMap<string, readonly KitFile[]>): Promise<void> {
  const folders = new Set<string>();
  for (const [kit, files] of kits) {
    for (const { path, bytes } of files) {
      const place = join(root, kit, path);
      mkdirSync(dirname(place), { recursive: true });
      folders.add(dirname(place));
      const handle = await open(place, 'wx');
      await handle.writeFile(bytes);
      await handle.sync();
      await handle.close();
    }
  }
  for (const folder of folders) {
    const handle = await open(folder);
    await handle.sync();
    await handle.close();
  }
}

/** Measures wall-clock time, because it includes waiting for the disk. */
async function time(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
