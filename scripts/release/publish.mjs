import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { lookUp, publish } from './npm.mjs';
import { isPublished, listWorkspaces } from './workspaces.mjs';

/** The tarballs of a tree, made and tried as `npm run packages` does; undefined where that fails. */
export async function packTree(tree) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-release-'));
  const options = { cwd: tree, stdio: ['ignore', 'inherit', 'inherit'] };
  const { code } = await run('npm', ['run', 'packages', '--', '--out', folder], options);
  if (code === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

/** Publishes what is not there yet, what others depend on first. Throws at the first that is refused. */
export async function publishAll(tree, { folder, version, registry, say }) {
  for (const { manifest } of listWorkspaces(tree).filter(isPublished)) {
    const { name } = manifest;
    const tarball = join(folder, findTarball(folder, name, version));
    const there = await lookUp(tree, registry, name, version);
    if (there.failure !== undefined) throw new Error(`${name}: ${there.failure}`);
    if (there.integrity === undefined) {
      await publish(tree, registry, tarball).catch((error) => {
        throw new Error(`${name} was refused: ${error.message}`);
      });
      say(`${name}@${version} is published.`);
    } else if (there.integrity === hash(tarball)) say(`${name}@${version} is there already.`);
    else throw new Error(`${name}@${version} is there already, with other content: make a new version.`);
  }
}

function findTarball(folder, name, version) {
  const wanted = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  if (!readdirSync(folder).includes(wanted)) throw new Error(`${wanted} was not packed.`);
  return wanted;
}

const hash = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
