import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at, firstError, lookUp } from './npm.mjs';
import { run } from './run.mjs';
import { isPublished, listWorkspaces } from './workspaces.mjs';

/** The tarballs of a tree, made and tried as `npm run packages` does. */
export async function packTree(tree, say) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
  const { ok } = await run(tree, ['npm', 'run', 'packages', '--', '--out', folder], { say });
  if (ok) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** Publishes what is not there yet, what others depend on first. Throws at the first that is refused. */
export async function publishAll(tree, { folder, version, registry, say }) {
  const provenance = registry === undefined ? '--provenance' : '--no-provenance';
  for (const { manifest } of listWorkspaces(tree).filter(isPublished)) {
    const { name } = manifest;
    const tarball = join(folder, findTarball(folder, name, version));
    const there = await lookUp(tree, registry, name, version);
    if (there.failure !== undefined) throw new Error(`${name}: ${there.failure}`);
    if (there.integrity === hash(tarball)) {
      say(`${name}@${version} is there already.`);
      continue;
    }
    if (there.integrity !== undefined) {
      throw new Error(`${name}@${version} is there already, with other content: make a new version.`);
    }
    const { ok, errors } = await run(tree, [
      'npm',
      'publish',
      tarball,
      '--access',
      'public',
      provenance,
      ...at(registry),
    ]);
    if (!ok) throw new Error(`${name} was refused: ${firstError(errors)}`);
    say(`${name}@${version} is published.`);
  }
}

function findTarball(folder, name, version) {
  const wanted = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  if (!readdirSync(folder).includes(wanted)) throw new Error(`${wanted} was not packed.`);
  return wanted;
}

const hash = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
