import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { demand } from './demand.mjs';

/** What git prints; undefined where it refuses. */
export async function git(root, ...args) {
  const { code, stdout } = await run('git', args, { cwd: root });
  return code === 0 ? stdout.trim() : undefined;
}

export const readCommit = (root, name) => git(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);

export const contains = async (root, branch, commit) =>
  (await git(root, 'merge-base', '--is-ancestor', commit, branch)) !== undefined;

/** The commit of a release whose checks have all passed, kept until the release is done. */
const PASSED = 'refs/parley/release';

export const readPassed = (root) => readCommit(root, PASSED);
export const keepPassed = (root, commit) => demand(root, ['git', 'update-ref', PASSED, commit]);
export const forgetPassed = (root) => demand(root, ['git', 'update-ref', '-d', PASSED]);

const TREES = `parley-release-tree-`;

/**
 * Does something in a work tree of its own, outside the clone, which is removed again, also after an interruption.
 *
 * @param {string} root @param {string} commit @param {(tree: string) => Promise<any>} work
 */
export async function withTree(root, commit, work) {
  await removeLeftTrees(root);
  const folder = mkdtempSync(join(tmpdir(), `${TREES}${process.pid}-`));
  const tree = join(folder, 'tree');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.on('exit', remove);
  try {
    await demand(root, ['git', 'worktree', 'add', '--detach', '--quiet', tree, commit]);
    return await work(tree);
  } finally {
    remove();
    process.off('exit', remove);
    await git(root, 'worktree', 'prune');
  }
}

/** Of a process that was killed. */
async function removeLeftTrees(root) {
  const list = (await git(root, 'worktree', 'list', '--porcelain')) ?? '';
  for (const [, tree, pid] of list.matchAll(new RegExp(`^worktree (.*${TREES}(\\d+)-.*)$`, 'gm'))) {
    if (!isAlive(Number(pid))) rmSync(join(tree, '..'), { recursive: true, force: true });
  }
  await git(root, 'worktree', 'prune');
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
