import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SetupFailure } from './failure.mjs';
import { run } from './run.mjs';
import { readJson, readStamp, removeStamp, writeStamp } from './stamp.mjs';

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

/** npm's own words where it refuses a lock file. */
const DISAGREE = /package\.json and package-lock\.json.* are (?:not )?in sync/;

/** What the installation must fit: the lock file, every package.json, and the machine native parts are built for. */
function wanted(root) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
  for (const path of ['package-lock.json', ...packageDirs(root).map((dir) => join(dir, 'package.json'))]) {
    hash
      .update(path)
      .update('\0')
      .update(readIfThere(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

export function isInstalled(root) {
  const stamp = readStamp(root);
  if (stamp.install !== undefined) return stamp.install === wanted(root);
  // `npm install` by hand leaves no stamp of ours, but npm records what it installed when it has finished.
  return lockFits(root) && recordFits(root);
}

/** As the lock file says, which is never changed here (PK-9). */
export async function install(root, say) {
  say('Installing dependencies (npm ci), this takes a minute the first time …');
  removeStamp(root);
  const { command, args, shell } = findNpm();
  const env = { ...process.env };
  // Set by an outer `npm test --workspace …`; they would shrink the installation to that workspace.
  for (const name of ['workspace', 'workspaces', 'include_workspace_root']) delete env[`npm_config_${name}`];
  let result;
  try {
    // Without --include, NODE_ENV=production leaves out the compiler.
    result = await run(command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund'], {
      cwd: root,
      env,
      shell,
    });
  } catch {
    throw new SetupFailure('npm was not found. It comes with Node.js: https://nodejs.org/');
  }
  if (result.code !== 0) throw new SetupFailure(`${result.output.trimEnd()}\n\n${advice(result.output)}`);
  writeStamp(root, { install: wanted(root) });
}

function advice(output) {
  if (DISAGREE.test(output)) {
    return [
      'A package.json asks for what package-lock.json does not list. If you changed it, run `npm install` and commit both;',
      'if not, the clone is not as it was: `git status` shows how.',
    ].join('\n');
  }
  if (!OFFLINE.test(output)) return 'npm could not install the dependencies; its own words are above.';
  return [
    'npm could not reach its registry. Check the connection, the proxy and `npm config get registry`,',
    'then run the same command again: what was downloaded is kept. With everything in npm’s cache already,',
    '`npm ci --offline` works without a network.',
  ].join('\n');
}

/** Does package-lock.json agree with every package.json? If not, `npm ci` refuses. */
function lockFits(root) {
  const lock = readJson(join(root, 'package-lock.json'))?.packages;
  if (lock === undefined) return false;
  return packageDirs(root).every((dir) => {
    const locked = lock[dir.replaceAll('\\', '/')];
    const declared = readJson(join(root, dir, 'package.json'));
    return (
      locked !== undefined &&
      DEPENDENCIES.every((kind) => isDeepStrictEqual(locked[kind] ?? {}, declared?.[kind] ?? {}))
    );
  });
}

/** npm's own record of node_modules, written as its last step, against the lock file. */
function recordFits(root) {
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  if (installed === undefined || locked === undefined) return false;
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || entry.optional || entry.devOptional || entry.peer) return true;
    const there = installed[path];
    return there !== undefined && there.version === entry.version && there.integrity === entry.integrity;
  });
}

function packageDirs(root) {
  const patterns = readJson(join(root, 'package.json'))?.workspaces ?? [];
  const dirs = patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return listDirs(join(root, parent)).map((name) => `${parent}/${name}`);
  });
  return ['', ...dirs.filter((dir) => existsSync(join(root, dir, 'package.json'))).sort()];
}

function listDirs(path) {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path) : '';
}

/** npm as a script for this very Node where it can be found: no shell, no .cmd file, no other version from PATH. */
function findNpm() {
  const bin = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath ?? '',
    join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find((path) => path.endsWith('npm-cli.js') && existsSync(path));
  if (script !== undefined) return { command: process.execPath, args: [script], shell: false };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}
