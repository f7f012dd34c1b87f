import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TABLE = new URL('./sizes.json', import.meta.url);
/** Between what was measured and the budget. */
const ROOM = 1.15;

/**
 * @typedef {{ packed: number, unpacked: number, installed?: number }} Sizes In kilobytes (1,000 bytes).
 * @typedef {Record<string, { measured: Sizes, budget: Sizes }>} Table
 */

const toKilobytes = (bytes) => Math.ceil(bytes / 1000);

/**
 * How large the packages are, and how large what comes with them.
 *
 * @param {Iterable<import('./pack.mjs').Packed>} packages @param {string} folder Where they are installed.
 * @returns {Record<string, Sizes>}
 */
export function measure(packages, folder) {
  return Object.fromEntries(
    [...packages].map(({ name, size, unpackedSize }) => {
      const installed = sizeWithDependencies(folder, name);
      const sizes = { packed: toKilobytes(size), unpacked: toKilobytes(unpackedSize) };
      return [name, installed === undefined ? sizes : { ...sizes, installed: toKilobytes(installed) }];
    }),
  );
}

/** Of a package and everything that npm installs for it; undefined if that differs from platform to platform. */
function sizeWithDependencies(folder, name) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  const seen = new Set();
  const visit = (path) => {
    if (path === undefined || seen.has(path)) return;
    seen.add(path);
    const { dependencies, optionalDependencies } = packages[path];
    for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies })) visit(find(packages, path, wanted));
  };
  visit(`node_modules/${name}`);
  if ([...seen].some((path) => packages[path].os !== undefined)) return undefined;
  return [...seen].reduce((sum, path) => sum + sizeOf(join(folder, path)), 0);
}

/** As Node would: beside the package, or beside one of those it lies in. */
function find(packages, from, name) {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))) {
    const found = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`;
    if (found in packages) return found;
    if (path === '') return undefined;
  }
}

/** Without the packages that lie in it, which are counted by themselves. */
function sizeOf(path) {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const inner = join(path, entry.name);
      return sum + (entry.isDirectory() ? sizeOf(inner) : entry.isFile() ? statSync(inner).size : 0);
    }, 0);
}

/** @returns {Table} */
const readTable = () => JSON.parse(readFileSync(TABLE, 'utf8'));

/** What is over its budget (PK-1), or has none. @param {Record<string, Sizes>} sizes @param {Table} table @returns {string[]} */
export function checkSizes(sizes, table = readTable()) {
  return Object.entries(sizes).flatMap(([name, measured]) => {
    const budget = table[name]?.budget;
    if (budget === undefined) return [`${name}: it has no budget`];
    return Object.entries(measured)
      .filter(([kind, size]) => size > budget[kind])
      .map(([kind, size]) => `${name}: ${size} KB ${kind}, and its budget is ${budget[kind]} KB`);
  });
}

/** Notes what was measured, with new budgets. @param {Record<string, Sizes>} sizes */
export function writeTable(sizes) {
  const withRoom = (measured) =>
    Object.fromEntries(Object.entries(measured).map(([kind, size]) => [kind, Math.ceil(size * ROOM)]));
  const table = Object.entries(sizes).map(([name, measured]) => [name, { measured, budget: withRoom(measured) }]);
  writeFileSync(TABLE, `${JSON.stringify(Object.fromEntries(table.sort()), null, 2)}\n`);
}
