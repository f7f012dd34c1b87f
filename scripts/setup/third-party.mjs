import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../files.mjs';

const DIST = fileURLToPath(new URL('../../apps/cli/dist/', import.meta.url));
const LISTS = join(DIST, 'third-party');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;
const LINE = '-'.repeat(80);

/**
 * A plugin of rolldown and of Vite. Keeps the list of the packages whose code went into a bundle, and writes the
 * licences of those of all bundles (PK-1). Whichever bundle is built last completes the file.
 *
 * @param {string} bundle @param {readonly string[]} also What the bundlers themselves add, which is no module.
 */
export const keepLicences = (bundle, also = []) => ({
  name: 'parley-keep-licences',
  writeBundle(_options, output) {
    const chunks = Object.values(output).filter(({ type }) => type === 'chunk');
    // The names of style sheets are no longer there once they are files of their own.
    const styles = [...this.getModuleIds()].filter((id) => /\.css(\?|$)/.test(id));
    const folders = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...styles].map(findFolder);
    const own = also.map((name) => join(ROOT, 'node_modules', name));
    const packages = [...new Set([...folders, ...own])].filter((folder) => folder !== undefined).map(readLicence);
    mkdirSync(LISTS, { recursive: true });
    writeFileSync(join(LISTS, `${bundle}.json`), JSON.stringify(packages));
    writeLicences();
  },
});

/** `…/node_modules/@scope/name/lib/x.js` is in `…/node_modules/@scope/name`; code of ours is in no such folder. */
function findFolder(id) {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
}

/** @param {string} folder Of a package. */
export function readLicence(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (typeof license !== 'string') throw new Error(`${name} ${version} is bundled and does not name its licence`);
  // A few packages name their licence and leave its text out.
  const named = `The package names its licence and brings no text of it. Author: ${author?.name ?? author ?? 'not named'}`;
  return { name, version, license, text: texts.join('\n\n') || named };
}

function writeLicences() {
  const packages = readdirSync(LISTS).flatMap((file) => JSON.parse(readFileSync(join(LISTS, file), 'utf8')));
  const byName = new Map(packages.map((found) => [`${found.name} ${found.version}`, found]));
  const parts = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, { license, text }]) => `${LINE}\n${title} (${license})\n\n${text}\n`);
  const intro = 'Parley contains code of the packages below, each under its own licence.\n';
  writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), [intro, ...parts].join('\n'));
}
