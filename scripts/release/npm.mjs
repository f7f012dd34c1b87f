import { run } from './run.mjs';

/** Without a registry of its own, npm's settings decide, as for every other command of npm. */
export const at = (registry) => (registry === undefined ? [] : ['--registry', registry]);

/**
 * What a registry has under a version: the hash of its tarball, `undefined` where the version is free.
 *
 * @returns {Promise<{ integrity: string | undefined } | { failure: string }>}
 */
export async function lookUp(root, registry, name, version) {
  const command = ['npm', 'view', `${name}@${version}`, 'dist.integrity', '--json', ...at(registry)];
  const { ok, output, errors } = await run(root, command, { env: { npm_config_prefer_online: 'true' } });
  if (ok) return { integrity: output.trim() === '' ? undefined : JSON.parse(output) };
  if (/\bE404\b/.test(errors) || /\bE404\b/.test(output)) return { integrity: undefined };
  return { failure: firstError(errors) };
}

export async function mayPublish(root, registry) {
  const { ok } = await run(root, ['npm', 'whoami', ...at(registry)]);
  return ok;
}

/** npm asks the machine that builds for a signed word about who it is; only some of them can give it. */
export const canAttest = (env) => env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined || env.SIGSTORE_ID_TOKEN !== undefined;

export const firstError = (errors) =>
  errors
    .split('\n')
    .find((line) => /^npm error(?! code)/.test(line))
    ?.slice('npm error '.length) ?? errors.trim();
