import { run } from '../setup/run.mjs';

/**
 * The environment in which npm takes everything from one registry. The cache stays the one of this machine: it serves
 * what the lock file pins. Settings that an outer `npm run` hands on would count more than those of the folder.
 *
 * @param {string} registry @returns {Promise<Record<string, string>>}
 */
export async function registryEnvironment(registry) {
  const { stdout } = await run('npm', ['config', 'get', 'cache']);
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:npm_|INIT_CWD$|NODE_ENV$|VITEST)/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    npm_config_cache: stdout.trim(),
    npm_config_registry: registry,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

/**
 * What a reader does first: `npm init -y && npm i …`.
 *
 * @param {{ folder: string, names: readonly string[], env: Record<string, string> }} options
 */
export async function installInto({ folder, names, env }) {
  for (const args of [
    ['init', '-y'],
    ['install', ...names],
  ]) {
    const { code, output } = await run('npm', args, { cwd: folder, env });
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}\n${output}`);
  }
}
