import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPublished } from '../packages/published.mjs';
import { lookUp, publish } from './npm.mjs';

/**
 * Publishes the tarballs of a folder that are not there yet, what others depend on first. Throws at the first that is
 * refused, and before the first if one is missing.
 */
export async function publishAll(tree, { folder, version, registry, say }) {
  const names = listPublished(tree).map(({ name }) => name);
  const tarballs = new Map(names.map((name) => [name, join(folder, tarballName(name, version))]));
  const lacking = [...tarballs.values()].filter((path) => !existsSync(path));
  if (lacking.length > 0) throw new Error(`Nothing was published: ${lacking.join(', ')} is not there.`);
  for (const [name, tarball] of tarballs) {
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

const tarballName = (name, version) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;

const hash = (path) => `sha512-${createHash('sha512').update(readFileSync(path)).digest('base64')}`;
