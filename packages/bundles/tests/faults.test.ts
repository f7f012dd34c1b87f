import { describe, expect, it } from 'vitest';
import { activateBundle, recover, uninstall } from '../src/index.ts';
import { tinyBundle } from './harness/bundle.ts';
import { watchFiles } from './harness/stopping-files.ts';
import { makeFolder, PERSONS, takeOutline, takePicture } from './harness/workspace.ts';

/** Operations of the lock itself: if they fail, the process still holds it, and that is as it should be. */
const OF_THE_LOCK = /\/(locks|\.roleos|workspace\.[0-9a-f.]+(\.held)?)$/;

/** A disk that fails once, at the nth operation. */
function failAt(last: number): { files: ReturnType<typeof watchFiles>; failed: () => boolean; steps: () => number } {
  let steps = 0;
  let failed = false;
  const files = watchFiles((name, args) => {
    if (OF_THE_LOCK.test(String(args[0]))) return;
    if (++steps !== last) return;
    failed = true;
    throw Object.assign(new Error(`${name} failed`), { code: 'EIO' });
  });
  return { files, failed: () => failed, steps: () => steps };
}

const install = (root: string, files?: ReturnType<typeof watchFiles>) =>
  activateBundle({
    manifest: tinyBundle(),
    roots: { workspace: root },
    ...(files ? { files } : {}),
  });

describe('BA-3 a disk that fails at any operation', () => {
  it('BA-3 an activation leaves the old state or the new one', async () => {
    const complete = makeFolder(PERSONS);
    const count = failAt(0);
    await install(complete, count.files);
    const wanted = takeOutline(complete);
    for (let last = 1; last <= count.steps(); last++) {
      const root = makeFolder(PERSONS);
      const before = takePicture(root);
      const { files, failed } = failAt(last);
      const thrown = await install(root, files).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failed()).toBe(true);
      await recover(root);
      const isOld = JSON.stringify(takePicture(root)) === JSON.stringify(before);
      if (isOld) expect(thrown, `step ${last}`).toMatchObject({ code: 'EIO' });
      else expect(takeOutline(root), `step ${last}: neither old nor new`).toEqual(wanted);
    }
  });

  it('BA-5 an uninstall leaves the old state or the new one', async () => {
    const root = makeFolder(PERSONS);
    const empty = takePicture(root);
    let last = 0;
    for (;;) {
      await install(root);
      const before = takeOutline(root);
      const { files, failed } = failAt(++last);
      await uninstall({ workspace: root, bundleId: 'tiny', files }).catch(() => {});
      await recover(root);
      const isNew = JSON.stringify(takePicture(root)) === JSON.stringify(empty);
      if (!isNew) expect(takeOutline(root), `step ${last}: neither old nor new`).toEqual(before);
      if (!failed()) break;
    }
    expect(last).toBeGreaterThan(30);
    expect(takePicture(root)).toEqual(empty);
  });
});
