// Installs the runtimes that agents are tried on (PK-6), each when it is asked for, from the packages of their binaries:
// no script of an installation runs, and package-lock.json says what the bytes must be.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HERE = new URL('.', import.meta.url);
const INSTALLED = fileURLToPath(new URL('../../../.parley/runtimes/', HERE));
const isWindows = process.platform === 'win32';
const exe = isWindows ? '.exe' : '';

const nodeOf = (major) => ({
  title: `Node ${major}`,
  package: ({ os, arch }) => `node${major}-${os === 'win32' ? 'win' : os}-${arch}`,
  file: `bin/node${exe}`,
  hasMusl: false,
});

/** What each is called by its makers: the package of a platform, and the binary in it. */
export const RUNTIMES = {
  node22: nodeOf(22),
  node24: nodeOf(24),
  bun: {
    title: 'Bun',
    package: ({ os, arch, libc }) =>
      `@oven/bun-${os === 'win32' ? 'windows' : os}-${arch === 'arm64' ? 'aarch64' : arch}${libc === 'musl' ? '-musl' : ''}`,
    file: `bin/bun${exe}`,
    hasMusl: true,
  },
  deno: {
    title: 'Deno',
    package: ({ os, arch, libc }) => `@deno/${os}-${arch}${libc === undefined ? '' : `-${libc}`}`,
    file: `deno${exe}`,
    hasMusl: false,
  },
  workerd: {
    title: 'workerd',
    package: ({ os, arch }) => `@cloudflare/workerd-${os === 'win32' ? 'windows' : os}-${arch === 'x64' ? '64' : arch}`,
    file: `bin/workerd${exe}`,
    hasMusl: false,
  },
};

/** The platform this process runs on, as packages name it. */
function thisPlatform() {
  const { platform: os, arch } = process;
  if (os !== 'linux') return { os, arch };
  return { os, arch, libc: process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc' };
}

/**
 * Returns the runtime's binary and version, installed now unless it was before; or why it cannot be had. Several
 * processes may ask at once: each installs beside, and the first one that is done is used by all.
 */
export async function ensureRuntime(name, options = {}) {
  const { platform = thisPlatform(), folder = INSTALLED, npm = runNpm } = options;
  const { title, package: packageOf, file, hasMusl } = RUNTIMES[name];
  const wanted = packageOf(platform);
  const lock = JSON.parse(await readFile(new URL('package-lock.json', HERE), 'utf8'));
  const entry = lock.packages[`node_modules/${wanted}`];
  if (entry === undefined || (platform.libc === 'musl' && !hasMusl)) {
    const { os, arch, libc = '' } = platform;
    return { missing: `${title} has no npm package for this platform (${[os, arch, libc].join(' ').trim()}).` };
  }
  const { version } = entry;
  const place = join(folder, `${name}-${version}`);
  const path = join(place, 'node_modules', wanted, file);
  if (existsSync(path)) return { path, version };
  try {
    await install({ wanted, entry, folder, place, npm });
  } catch (error) {
    const reason = `${error.stderr ?? ''}`.trim().split('\n').at(0) || error.message;
    return { missing: `${title} ${version} could not be installed: ${reason}. It needs npm and its registry.` };
  }
  return { path, version };
}

async function install({ wanted, entry, folder, place, npm }) {
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(folder, 'installing-'));
  try {
    const range = entry.name === undefined ? entry.version : `npm:${entry.name}@${entry.version}`;
    const about = { name: 'runtime', version: '0.0.0', private: true, dependencies: { [wanted]: range } };
    const { optional: _, ...needed } = entry;
    const packages = { '': about, [`node_modules/${wanted}`]: needed };
    await writeFile(join(draft, 'package.json'), JSON.stringify(about));
    await writeFile(
      join(draft, 'package-lock.json'),
      JSON.stringify({ name: 'runtime', version: '0.0.0', lockfileVersion: 3, requires: true, packages }),
    );
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], draft);
    await rename(draft, place).catch((error) => {
      // Another process was faster.
      if (!existsSync(join(place, 'node_modules', wanted))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const runNpm = (args, cwd) => run('npm', args, { cwd, shell: isWindows });
