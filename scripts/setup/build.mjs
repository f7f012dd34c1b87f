import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SetupFailure } from './failure.mjs';
import { run } from './run.mjs';
import { readJson, readStamp, writeStamp } from './stamp.mjs';

/** What is bundled once it is compiled: a project that has such a file is, into what is named beside it. */
const BUNDLERS = [
  {
    config: 'vite.config.ts',
    bundler: ['vite', 'bin', 'vite.js'],
    args: ['build', '--logLevel', 'warn'],
    outputs: ['../cli/dist/site/index.html'],
  },
  {
    config: 'rolldown.config.ts',
    bundler: ['rolldown', 'bin', 'cli.mjs'],
    args: ['-c', 'rolldown.config.ts', '--logLevel', 'warn'],
    outputs: ['dist/program', 'dist/server', 'dist/examples', 'dist/THIRD-PARTY-LICENSES.txt'],
  },
];
/** What is copied into a bundle as it is, and what bundlers are extended with. */
const INGREDIENTS = ['examples/manifests', 'examples/bundles', 'examples/skills', 'scripts/setup/third-party.mjs'];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'tests']);

export function isBuilt(root) {
  const { build } = readStamp(root);
  return build !== undefined && build.sources === hashSources(root) && build.outputs === describeOutputs(root);
}

export async function build(root, say) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(compiler)) {
    throw new SetupFailure('The TypeScript compiler is not in node_modules. Run `npm ci`, then try again.');
  }
  say('Building …');
  const { install } = readStamp(root);
  // An interrupted build leaves outputs of two ages; with its stamp kept, undoing the edit would make them look fresh.
  writeStamp(root, { install });
  const sources = hashSources(root);
  // With more, each checker of a project works out the same types again: twice the processor time, and no less time on two cores.
  const { code, output } = await run(process.execPath, [compiler, '-b', '--checkers', '1'], { cwd: root });
  if (code !== 0) throw new SetupFailure(`${output.trimEnd()}\n\nThe build failed; the compiler’s words are above.`, 1);
  for (const dir of projectDirs(root)) for (const how of bundlersOf(root, dir)) await bundle(root, dir, how);
  writeStamp(root, { install, build: { sources, outputs: describeOutputs(root) } });
}

const bundlersOf = (root, dir) => BUNDLERS.filter(({ config }) => existsSync(join(root, dir, config)));

async function bundle(root, dir, { bundler, args }) {
  const { code, output } = await run(process.execPath, [join(root, 'node_modules', ...bundler), ...args], {
    cwd: join(root, dir),
    // Whoever runs the set-up: what is bundled is for people, not for tests.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (code !== 0) throw new SetupFailure(`${output.trimEnd()}\n\nThe build failed; the bundler’s words are above.`, 1);
}

function projectDirs(root) {
  const references = readJson(join(root, 'tsconfig.json'))?.references ?? [];
  return references.map((reference) => reference.path);
}

function hashSources(root) {
  const hash = createHash('sha256');
  const add = (path) =>
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0');
  for (const path of ['tsconfig.json', 'tsconfig.base.json']) if (existsSync(join(root, path))) add(path);
  for (const path of INGREDIENTS.flatMap((path) => listFiles(root, path))) add(path);
  for (const path of projectDirs(root).flatMap((dir) => listSources(root, dir))) add(path);
  return hash.digest('hex');
}

function listFiles(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats === undefined ? [] : [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}

/** Everything the compiler and the bundlers may read in a project; tests are no part of the build. */
function listSources(root, dir) {
  if (!existsSync(join(root, dir))) return [];
  return readdirSync(join(root, dir), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${dir}/${entry.name}`;
      if (entry.isDirectory()) return NOT_SOURCES.has(entry.name) ? [] : listSources(root, path);
      return /\.(ts|tsx|mts|cts|js|json|css|html|svg|webmanifest)$/.test(entry.name) &&
        !/\.test\.tsx?$/.test(entry.name)
        ? [path]
        : [];
    });
}

/** The compiler rewrites its record with every build, so a build by hand in between shows here. */
function describeOutputs(root) {
  return projectDirs(root)
    .map((dir) => {
      const { tsBuildInfoFile = 'dist/.tsbuildinfo' } =
        readJson(join(root, dir, 'tsconfig.json'))?.compilerOptions ?? {};
      const records = [tsBuildInfoFile, ...bundlersOf(root, dir).flatMap(({ outputs }) => outputs)];
      const ages = records
        .map((record) => join(root, dir, record))
        .map((file) => existsSync(file) && statSync(file).mtimeMs);
      return `${dir} ${ages.join(' ')}`;
    })
    .join('\n');
}
