import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** We have no CommonJS: who cannot load modules cannot load us (profile `esm-only` of `attw`). */
const RESOLUTIONS = ['node16-esm', 'bundler'];

/**
 * What `publint` and `attw` ("are the types wrong?") say about a tarball (PK-2).
 *
 * @param {import('./pack.mjs').Packed} packed @returns {Promise<string[]>}
 */
export async function lintPackage({ name, file, manifest }) {
  const tarball = readFileSync(file);
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  return [...(await runPublint(data)), ...(await runAttw(tarball, manifest))].map((problem) => `${name}: ${problem}`);
}

async function runPublint(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

/** A program has no types to check. */
async function runAttw(tarball, manifest) {
  if (manifest.exports === undefined) return [];
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  if (types === false) return ['attw: it has no types'];
  return problems.filter(concernsUs).map(({ kind, entrypoint }) => `attw: ${kind} ${entrypoint ?? ''}`.trimEnd());
}

const concernsUs = ({ resolutionKind, resolutionOption }) =>
  (resolutionKind === undefined || RESOLUTIONS.includes(resolutionKind)) &&
  (resolutionOption === undefined || resolutionOption !== 'node10');
