import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST, identifyThisProcess } from '@parley/base/node';
import { describe, expect, it } from 'vitest';
import { nodeFiles } from '../src/files/file-system.ts';
import { withLock } from '../src/files/lock.ts';
import { activateBundle, statusOf } from '../src/index.ts';
import { tinyBundle } from './harness/bundle.ts';
import { watchFiles } from './harness/stopping-files.ts';
import { makeFolder, takePicture } from './harness/workspace.ts';

function leaveLock(root: string, name: string): void {
  mkdirSync(join(root, '.roleos/locks'), { recursive: true });
  for (const file of [name, `${name}.held`]) writeFileSync(join(root, '.roleos/locks', `workspace.${file}`), '');
}

const install = (root: string, id: string, more: Record<string, unknown> = {}) => {
  const own = {
    id,
    roles: [{ id: `${id}-role`, label: id }],
    kits: [{ id: `${id}-kit`, label: id, capabilities: ['x'] }],
  };
  return activateBundle({ manifest: tinyBundle(own), roots: { workspace: root }, ...more });
};

describe('BA-3 the lock of a workspace', () => {
  it('BA-3 of many at once each runs alone or is told that the workspace is busy', async () => {
    const root = makeFolder();
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => withLock(nodeFiles, root, work)));
    expect(most).toBe(1);
    expect(results.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'WORKSPACE_BUSY', retry: true });
    expect(takePicture(root)).toEqual({});
  });

  it('BA-3 activations at the same time do not mix', async () => {
    const root = makeFolder();
    const ids = ['one', 'two', 'three', 'four'];
    const results = await Promise.allSettled(ids.map((id) => install(root, id)));
    const done = ids.filter((_, index) => results[index]?.status === 'fulfilled');
    const { bundles } = await statusOf(root);
    expect(bundles.map(({ id }) => id).sort()).toEqual(done.sort());
    expect(bundles.flatMap(({ drift }) => drift)).toEqual([]);
  });

  it('BA-3 a living process keeps its lock', async () => {
    const root = makeFolder();
    leaveLock(root, `${HOST}.${process.pid}.${identifyThisProcess().start}.0123456789abcdef`);
    await expect(statusOf(root)).rejects.toMatchObject({ code: 'WORKSPACE_BUSY' });
  });

  it.each([
    ['of a process that is gone', `${HOST}.4194304.0123456789abcdef.0123456789abcdef`],
    ['whose process id was given away again', `${HOST}.${process.pid}.0123456789abcdef.0123456789abcdef`],
  ])('BA-3 a lock %s is cleared away', async (_, name) => {
    const root = makeFolder();
    leaveLock(root, name);
    await expect(statusOf(root)).resolves.toMatchObject({ bundles: [] });
    expect(existsSync(join(root, '.roleos'))).toBe(false);
  });

  it('BA-3 a lock of another machine is respected while its process gives signs of life', async () => {
    const root = makeFolder();
    const name = `${'f'.repeat(16)}.1.0123456789abcdef.0123456789abcdef`;
    leaveLock(root, name);
    let time = 1;
    const beat = setInterval(() => utimesSync(join(root, '.roleos/locks', `workspace.${name}`), ++time, time), 20);
    try {
      await expect(statusOf(root)).rejects.toMatchObject({ code: 'WORKSPACE_BUSY' });
    } finally {
      clearInterval(beat);
    }
  });
});

describe('BA-3 what is on the disk when', () => {
  it('BA-3 files and names are synced before the journal, changes before it is removed', async () => {
    const root = makeFolder({ 'AGENTS.md': 'mine\n' });
    const trace: string[] = [];
    const files = watchFiles((name, args) =>
      trace.push(`${name} ${args.map((arg) => String(arg).replace(/.*\//, '')).join(' ')}`),
    );
    await install(root, 'one', { files });
    const journal = trace.findIndex((step) => /^rename journal journal\.json/.test(step));
    const commit = trace.findIndex((step) => /^unlink journal\.json/.test(step));
    expect(journal).toBeGreaterThan(0);
    expect(commit).toBeGreaterThan(journal);
    const [before, between] = [trace.slice(0, journal), trace.slice(journal, commit)];
    const written = before.filter((step) => /^open (new-|journal)/.test(step));
    expect(written.length).toBeGreaterThan(5);
    // One for each file, and the folders that hold them.
    expect(before.filter((step) => step.startsWith('sync')).length).toBeGreaterThanOrEqual(written.length + 3);
    expect(before.filter((step) => /^(rename|unlink)/.test(step))).toEqual([]);
    expect(between[1]).toMatch(/^sync/);
    const last = between.findLastIndex((step) => /^(link|rename|mkdir|rmdir)/.test(step));
    expect(between.slice(last).filter((step) => step.startsWith('sync')).length).toBeGreaterThanOrEqual(3);
    expect(trace[commit + 1]).toMatch(/^sync/);
  });

  it('BA-3 nothing is left open', async () => {
    const root = makeFolder();
    const count = () => readdirSync('/proc/self/fd').length;
    await install(root, 'one');
    const before = count();
    for (const id of ['two', 'three']) await install(root, id);
    expect(count()).toBeLessThanOrEqual(before);
  });
});
