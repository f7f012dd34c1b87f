import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './setup/build.mjs';
import { SetupFailure } from './setup/failure.mjs';
import { install, isInstalled } from './setup/install.mjs';
import { withLock } from './setup/lock.mjs';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const NODE_NEEDED = [20, 19];

/**
 * Installs and builds what is missing or stale, and nothing else. Ends the process with a plain message where that
 * cannot be done: 3 for the machine (Node too old, no network), 1 for sources that do not compile.
 */
export async function ensureReady(options = {}) {
  try {
    await prepare(REPOSITORY, options);
  } catch (error) {
    // A system error (read-only folder, full disk) says enough by itself; anything else is a mistake of ours.
    if (!(error instanceof SetupFailure) && error.syscall === undefined) throw error;
    console.error(error.message);
    process.exit(error.exitCode ?? 3);
  }
}

/** The same for any folder, with `SetupFailure` thrown. `install: false` and `build: false` leave that part alone. */
export async function prepare(root, options = {}) {
  const say = options.quiet ? () => {} : (line) => console.error(line);
  checkNode(process.versions.node);
  const needsInstall = () => options.install !== false && !isInstalled(root);
  const needsBuild = () => options.build !== false && !isBuilt(root);
  if (!needsInstall() && !needsBuild()) return;
  const lock = join(root, '.parley', 'setup.lock');
  const onWait = (pid) => say(`Waiting for process ${pid}, which is setting up this folder …`);
  await withLock(
    lock,
    async () => {
      // Asked again: whoever held the lock before us may have done the work.
      if (needsInstall()) await install(root, say);
      if (needsBuild()) await build(root, say);
    },
    onWait,
  );
}

export function checkNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1])) return;
  const needed = NODE_NEEDED.join('.');
  throw new SetupFailure(
    `Parley needs Node.js ${needed} or newer; this is ${version}. Get it from https://nodejs.org/`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureReady();
