import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const EXPECTED = ['LICENSE', 'README.md', 'package.json'];
/** Of the compiler's record and of tests nobody who installs a package has any use. */
const UNWANTED = /(?:^|\/)\.|\.tsbuildinfo$|\.test\.|(?:^|\/)tests?\/|(?:^|\/)node_modules\/|\.tgz$/;
const OUTPUT = /^dist\/(.*?)\.(?:js|d\.ts)(?:\.map)?$/;

/**
 * What should not be in a tarball, and what is missing in it (PK-1).
 *
 * @param {import('./pack.mjs').Packed} packed @returns {string[]}
 */
export function checkContents({ name, version, files, manifest }) {
  const have = new Set(files);
  const missing = [...EXPECTED, ...listEntries(manifest)].filter((path) => !have.has(path));
  const unwanted = files.filter((path) => UNWANTED.test(path));
  const orphans = manifest.files.includes('src') ? findOrphans(files) : [];
  return [
    ...missing.map((path) => `${name}: ${path} is missing`),
    ...unwanted.map((path) => `${name}: ${path} is nobody's business`),
    ...orphans.map((path) => `${name}: ${path} has no source`),
    ...checkManifest(manifest, version).map((problem) => `${name}: ${problem}`),
  ];
}

/** The files that a package.json names. */
function listEntries({ exports = {}, bin = {} }) {
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  return [...targets, ...Object.values(bin)].map((path) => path.replace(/^\.\//, ''));
}

function findOrphans(files) {
  const have = new Set(files);
  return files.filter((path) => {
    const source = OUTPUT.exec(path)?.[1];
    return path.startsWith('dist/') && !have.has(`src/${source}.ts`);
  });
}

function checkManifest({ license, type, engines, publishConfig, dependencies = {} }, version) {
  const ours = Object.entries(dependencies).filter(([name]) => name.startsWith('@parley/'));
  return [
    [license === 'Apache-2.0', 'its licence is not that of the repository'],
    [type === 'module', 'it is not a package of modules'],
    [engines?.node !== undefined, 'it does not say which Node it needs'],
    [
      publishConfig?.access === 'public' && publishConfig.provenance === true,
      'it would be published without provenance',
    ],
    ...ours.map(([name, wanted]) => [wanted === version, `it wants ${name} ${wanted}, not ${version}`]),
  ].flatMap(([isFine, problem]) => (isFine ? [] : [problem]));
}

/**
 * What is wrong in the files of an installed package: a path of the machine on which it was built, and a dependency that
 * none of them names.
 *
 * @param {import('./pack.mjs').Packed} packed @param {{ folder: string, root: string }} places @returns {string[]}
 */
export function checkFiles({ name, files, manifest }, { folder, root }) {
  const machine = [root.replace(/\/$/, ''), homedir()].map((path) => `${path}/`);
  const unused = new Set(Object.keys(manifest.dependencies ?? {}));
  const problems = [];
  for (const path of files.filter((file) => file !== 'package.json')) {
    const content = readFileSync(join(folder, 'node_modules', name, path));
    if (machine.some((one) => content.includes(one))) problems.push(`${name}: ${path} names a path of this machine`);
    for (const dependency of unused) if (content.includes(bareName(dependency))) unused.delete(dependency);
  }
  return [...problems, ...[...unused].map((dependency) => `${name}: nothing in it needs ${dependency}`)];
}

/** As it is imported, or as `types="node"` refers to it. */
const bareName = (dependency) => (dependency.startsWith('@types/') ? `types="${dependency.slice(7)}"` : dependency);
