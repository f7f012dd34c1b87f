import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFiles } from '../files.mjs';
import { run } from '../setup/run.mjs';
import { collectSnippets } from './snippets.mjs';

const PROGRAMS = fileURLToPath(new URL('./consumers', import.meta.url));
const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

/** The names by which a package is imported. @param {import('./pack.mjs').Packed} packed @returns {string[]} */
export const entriesOf = ({ name, manifest }) =>
  Object.entries(manifest.exports ?? {})
    .filter(([, target]) => typeof target === 'object')
    .map(([subpath]) => name + subpath.slice(1));

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Puts programs beside what was installed (PK-2): one that imports every entry, one per package that uses it, and those of the
 * guides.
 *
 * @param {{ folder: string, packages: readonly import('./pack.mjs').Packed[], root: string }} options
 */
export function writePrograms({ folder, packages, root }) {
  cpSync(PROGRAMS, join(folder, 'programs'), { recursive: true });
  const imports = packages
    .flatMap(entriesOf)
    .map((entry) => `if (Object.keys(await import('${entry}')).length === 0) throw new Error('${entry} is empty');\n`);
  writeFileSync(join(folder, 'programs', 'entries.mjs'), imports.join(''));
  // Bundles brings the types of Node along, for everything that is compiled together with it.
  const bare = packages.filter(({ name }) => name !== '@parley/bundles').flatMap(entriesOf);
  writeFileSync(join(folder, 'programs', 'bare.mts'), bare.map((entry) => `import '${entry}';\n`).join(''));
  mkdirSync(join(folder, 'snippets'), { recursive: true });
  for (const [name, text] of collectSnippets(root)) writeFileSync(join(folder, 'snippets', name), text);
  for (const resolution of RESOLUTIONS) writeConfigurations(folder, resolution);
}

function writeConfigurations(folder, resolution) {
  const shared = {
    strict: true,
    target: 'es2023',
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    ...resolution,
  };
  const programs = findFiles(folder, 'programs', /\.mts$/);
  const snippets = findFiles(folder, 'snippets', /\.(?:mjs|d\.ts)$/);
  // As a page or a worker is compiled: with the types of the web, and none of Node.
  writeJson(join(folder, `web-${resolution.moduleResolution}.json`), {
    compilerOptions: { ...shared, lib: ['es2023', 'dom', 'dom.iterable'], types: [], noEmit: true },
    files: programs.filter((path) => !path.endsWith('bundles.mts')),
  });
  // As a program for Node is compiled: with its types, and none of the web.
  writeJson(join(folder, `node-${resolution.moduleResolution}.json`), {
    compilerOptions: {
      ...{ ...shared, lib: ['es2023'], types: ['node'] },
      ...{ allowJs: true, checkJs: true, rootDir: '.', outDir: `out-${resolution.moduleResolution}` },
    },
    files: [...programs, ...snippets],
  });
}

/**
 * What the compiler says to consumers: to all four kinds, or to those of a pattern.
 *
 * @param {{ folder: string, root: string, kinds?: RegExp }} options @returns {Promise<string[]>}
 */
export async function checkTypes({ folder, root, kinds = /./ }) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const configurations = findFiles(folder, '', /^(?:web|node)-\w+\.json$/).filter((path) => kinds.test(path));
  if (configurations.length === 0) return [`no consumer is like ${kinds}`];
  const runs = configurations.map(async (path) => {
    const { code, output } = await run(process.execPath, [compiler, '-p', path, '--checkers', '1'], { cwd: folder });
    return code === 0 ? [] : [`${path}: ${output.trimEnd()}`];
  });
  return (await Promise.all(runs)).flat();
}

/**
 * Runs the programs that the compiler made, and imports every entry in plain JavaScript.
 *
 * @param {{ folder: string, node?: string }} options @returns {Promise<string[]>}
 */
export async function runPrograms({ folder, node = process.execPath }) {
  const made = findFiles(folder, 'out-nodenext/programs', /\.mjs$/).filter((path) => !path.endsWith('bare.mjs'));
  const problems = [];
  for (const path of ['programs/entries.mjs', ...made]) {
    const { code, output } = await run(node, [path], { cwd: folder });
    if (code !== 0) problems.push(`${path}: ${output.trimEnd()}`);
  }
  return problems;
}
