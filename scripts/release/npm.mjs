import { run } from '../setup/run.mjs';

/**
 * What a registry has under a version: the hash of its tarball, `undefined` where the version is free.
 *
 * @returns {Promise<{ integrity: string | undefined } | { failure: string }>}
 */
export async function lookUp(root, registry, name, version) {
  const { code, output, stdout } = await npm(root, registry, 'view', `${name}@${version}`, 'dist.integrity', '--json');
  if (code === 0) return { integrity: stdout.trim() === '' ? undefined : JSON.parse(stdout) };
  return /\bE404\b/.test(output) ? { integrity: undefined } : { failure: readError(output) };
}

/**
 * The versions of a package that a registry has; undefined where it has no such package.
 *
 * @returns {Promise<{ versions: string[] | undefined } | { failure: string }>}
 */
export async function listVersions(root, registry, name) {
  const { code, output, stdout } = await npm(root, registry, 'view', name, 'versions', '--json');
  if (code === 0) return { versions: [JSON.parse(stdout)].flat() };
  return /\bE404\b/.test(output) ? { versions: undefined } : { failure: readError(output) };
}

/** @returns {Promise<{ isLoggedIn: boolean } | { failure: string }>} */
export async function askWho(root, registry) {
  const { code, output } = await npm(root, registry, 'whoami');
  if (code === 0) return { isLoggedIn: true };
  return /\b(?:ENEEDAUTH|E401)\b/.test(output) ? { isLoggedIn: false } : { failure: readError(output) };
}

/** npm asks the machine that builds for a signed word about who it is; only some of them can give it. */
export const canAttest = (env) => env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined || env.SIGSTORE_ID_TOKEN !== undefined;

/** Throws with npm's own words where it is refused. */
export async function publish(root, registry, tarball) {
  const provenance = registry === undefined ? '--provenance' : '--no-provenance';
  const { code, output } = await npm(root, registry, 'publish', tarball, '--access', 'public', provenance);
  if (code !== 0) throw new Error(readError(output));
}

/** Without a registry of its own, npm's settings decide, as everywhere. What was looked up before is asked for again. */
const npm = (root, registry, ...args) =>
  run('npm', [...args, '--prefer-online', ...(registry === undefined ? [] : ['--registry', registry])], { cwd: root });

const readError = (output) =>
  output
    .split('\n')
    .find((line) => /^npm error (?!code|syscall|errno|network\b)/.test(line))
    ?.slice('npm error '.length) ?? output.trim();
