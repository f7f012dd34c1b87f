import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';
import { prepare } from '../setup.mjs';
import { preparePackage } from './prepack.mjs';
import { listPublished } from './published.mjs';

/**
 * @typedef {object} Packed
 * @property {string} name
 * @property {string} version
 * @property {string} file The tarball.
 * @property {string} integrity
 * @property {string} shasum
 * @property {number} size In bytes, as it is downloaded.
 * @property {number} unpackedSize
 * @property {string[]} files Paths in it, sorted.
 * @property {any} manifest The package.json in it.
 */

/**
 * Packs everything that is published, as `npm publish` would. One npm for all, and what each package would run before it
 * is run here: starting a program costs more than packing does.
 *
 * @param {{ root: string, out: string }} options
 * @returns {Promise<Map<string, Packed>>}
 */
export async function packAll({ root, out }) {
  mkdirSync(out, { recursive: true });
  await prepare(root, { install: false, quiet: true });
  const packages = new Map(listPublished(root).map((one) => [one.name, one]));
  for (const { folder } of packages.values()) preparePackage(join(root, folder));
  const workspaces = [...packages.values()].flatMap(({ folder }) => ['--workspace', folder]);
  const { code, output, stdout } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', out, ...workspaces],
    {
      cwd: root,
    },
  );
  if (code !== 0) throw new Error(`npm pack ended with ${code}\n${output}`);
  return new Map(
    JSON.parse(stdout).map(({ name, version, filename, integrity, shasum, size, unpackedSize, files }) => [
      name,
      {
        ...{ name, version, integrity, shasum, size, unpackedSize },
        file: join(out, filename),
        files: files.map(({ path }) => path).sort(),
        manifest: packages.get(name).manifest,
      },
    ]),
  );
}
