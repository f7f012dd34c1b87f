import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Nobody else may write there, as they may into a temporary folder whose name they can guess. */
const CACHE = join(ROOT, 'node_modules', '.cache');

/** The version before this one. After a release the next one is refused until this names it. */
export const PREVIOUS = JSON.parse(readFileSync(new URL('./previous-version.json', import.meta.url), 'utf8'));

/** Resolves with the reason why the version before cannot be had from this clone, and what to do, or with undefined. */
export async function findObstacle(root = ROOT) {
  const git = (...args) =>
    run('git', args, { cwd: root }).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
  if ((await git('cat-file', '-e', `${PREVIOUS.commit}^{commit}`)) !== undefined) return undefined;
  const isShallow = await git('rev-parse', '--is-shallow-repository');
  const commit = PREVIOUS.commit.slice(0, 12);
  const missing = `The version before this one (commit ${commit}) is not in the history here.`;
  if (isShallow === 'true') return `${missing} This clone is shallow; get the rest with: git fetch --unshallow`;
  return `${missing} Clone the repository with its history, without --depth.`;
}

/**
 * Takes the version before out of the history and bundles its server, into a folder that stays for the next time. Returns
 * the module that exports `createServer`.
 */
export async function buildPrevious() {
  const folder = join(CACHE, `previous-${PREVIOUS.commit.slice(0, 12)}`);
  const entry = join(folder, 'packages', 'server', 'dist', 'index.mjs');
  if (existsSync(entry) && existsSync(join(folder, 'node_modules', 'pg'))) return entry;
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    await extract(draft);
    await bundle(draft);
    // Packages of others are those that are installed here.
    symlinkSync(join(ROOT, 'node_modules'), join(draft, 'node_modules'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return entry;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Only the packages: not one file of the working tree. */
async function extract(folder) {
  const archive = join(folder, 'archive.tar');
  await run('git', ['archive', '-o', archive, PREVIOUS.commit, 'packages', 'tsconfig.base.json'], { cwd: ROOT });
  await run('tar', ['-x', '-f', archive, '-C', folder]);
  rmSync(archive);
}

async function bundle(folder) {
  const build = await rolldown({
    input: join(folder, 'packages', 'server', 'src', 'index.ts'),
    platform: 'node',
    external: (id) => !/^(?:[./]|@parley\/)/.test(id),
    plugins: [{ name: 'own-packages', resolveId: (id) => (id.startsWith('@parley/') ? findSource(folder, id) : null) }],
    logLevel: 'silent',
  });
  await build.write({ dir: join(folder, 'packages', 'server', 'dist'), entryFileNames: 'index.mjs', format: 'esm' });
  await build.close();
}

/** `@parley/base/node` is a source file of the folder. */
function findSource(folder, id) {
  const [, name, ...rest] = id.split('/');
  const place = join(folder, 'packages', name);
  const { exports } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  const found = exports[['.', ...rest].join('/')];
  const file = typeof found === 'string' ? found : found.default;
  return join(place, file.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
}
