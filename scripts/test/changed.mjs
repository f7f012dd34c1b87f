import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findFiles } from '../files.mjs';
import { SetupFailure } from '../setup/failure.mjs';
import { readEntries } from '../sources.mjs';
import { tokenise } from '../tokens.mjs';

const TEST_FILE = /\.test\.(?:ts|tsx|mjs)$/;

/** What every test stands on: after a change of one of these, all of them run. */
const GROUND = [
  /(?:^|\/)(?:package|tsconfig[\w.]*)\.json$/,
  /^(?:package-lock\.json|vitest\.config\.ts|\.npmrc)$/,
  /^scripts\/(?:setup|test|mutate)(?:\/|\.mjs$)/,
  /^packages\/testkit\/src\/live\//,
];

/**
 * What differs from `revision`: committed since, edited, or not yet known to git.
 *
 * @param {string} root @param {string} revision @returns {string[]}
 */
export function listChanged(root, revision = 'HEAD') {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const edited = git('diff', '--name-only', '-z', '--no-renames', '--end-of-options', revision, '--');
    const untracked = git('ls-files', '--others', '--exclude-standard', '-z');
    return [...new Set(`${edited}${untracked}`.split('\0').filter((path) => path !== ''))].sort();
  } catch (error) {
    throw new SetupFailure(`git could not tell what changed since ${revision}: ${String(error.stderr).trim()}`, 2);
  }
}

/**
 * The test files that a change may break: those that import a changed file, directly or through others, or name it (or
 * a folder around it) in a relative path, as tests do that read vectors or start a program.
 *
 * @param {string} root @param {readonly string[]} changed @returns {string[]}
 */
export function selectTests(root, changed) {
  const tests = ['packages', 'apps', 'scripts'].flatMap((folder) => findFiles(root, folder, TEST_FILE));
  if (changed.some((path) => GROUND.some((pattern) => pattern.test(path)))) return tests;
  const graph = createGraph(root);
  const touches = (name) => changed.some((path) => path === name || path.startsWith(`${name}/`));
  return tests.filter((test) => [...reach(graph, test)].some(touches));
}

/** Everything that can be reached from a file by imports and relative paths; folders are named, not entered. */
function reach(graph, start) {
  const seen = new Set([start]);
  for (const path of seen) for (const target of graph(path)) seen.add(target);
  return seen;
}

function createGraph(root) {
  const entries = readEntries(root);
  const known = new Map();
  return (path) => {
    let targets = known.get(path);
    if (targets === undefined) {
      targets = /\.(?:tsx?|mjs|js)$/.test(path) ? readTargets(root, path, entries) : [];
      known.set(path, targets);
    }
    return targets;
  };
}

function readTargets(root, path, entries) {
  const here = posix.dirname(path);
  const targets = appOf(path);
  for (const { kind, text } of tokenise(readFileSync(join(root, path), 'utf8'))) {
    if (kind !== 'string' && kind !== 'template') continue;
    const named = entries.get(text) ?? (/^\.\.?\//.test(text) ? posix.join(here, text).replace(/\/$/, '') : undefined);
    if (named === undefined || named === '.' || named.startsWith('..') || !existsSync(join(root, named))) continue;
    // A path to the root, or to a folder that holds this very file, says where a test is, not what it reads.
    if (statSync(join(root, named)).isDirectory() && `${path}/`.startsWith(`${named}/`)) continue;
    targets.push(named);
  }
  return targets;
}

/** The tests of an app start it as it was built, so they depend on all that its entry files import. */
function appOf(path) {
  const [, app] = /^(apps\/[^/]+)\/tests\//.exec(path) ?? [];
  return app === undefined ? [] : [`${app}/src`, ...(APP_ENTRIES[app] ?? [])];
}

const APP_ENTRIES = {
  'apps/cli': ['apps/cli/src/main.ts', 'apps/server/src/main.ts'],
  'apps/server': ['apps/server/src/main.ts'],
  'apps/web': ['apps/web/src/main.tsx'],
};
