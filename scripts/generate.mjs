#!/usr/bin/env node
// HS-5: writes every generated file; with --check it only names those that are stale.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMain, ROOT, reportErrors } from './files.mjs';
import { renderApi } from './render-api.mjs';
import { renderErrors } from './render-errors.mjs';
import { renderFrames } from './render-frames.mjs';
import { renderRoutes } from './render-routes.mjs';

/** Words between the bundle's definition and its own validator; others have no use for them. */
const INTERNAL = new Set(['x-format', 'x-level']);
const publish = (schema) => `${JSON.stringify(schema, (key, value) => (INTERNAL.has(key) ? undefined : value), 2)}\n`;

/** Whatever has codes of its own exports them as `ERRORS` from this file (HS-4). */
const TABLE = 'errors';

/** The packages and apps that have one, apart from those of the mechanism and of the wire. */
export const ROOMS_WITH_ERRORS = ['packages', 'apps']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
  .filter((room) => existsSync(join(ROOT, room, `src/${TABLE}.ts`)))
  .filter((room) => !['packages/base', 'packages/protocol'].includes(room));

function importBuilt(room, entry) {
  const { outDir } = JSON.parse(readFileSync(join(ROOT, room, 'tsconfig.json'), 'utf8')).compilerOptions;
  return import(pathToFileURL(join(ROOT, room, outDir, `${entry}.js`)).href);
}

async function renderAllErrors(protocol) {
  const tables = new Map();
  for (const room of ROOMS_WITH_ERRORS) {
    const { name } = JSON.parse(readFileSync(join(ROOT, room, 'package.json'), 'utf8'));
    tables.set(name, (await importBuilt(room, TABLE)).ERRORS);
  }
  return renderErrors(protocol, tables);
}

/** `make` gets the built module of `source`, or the one of its `entry`, and returns the text of `path`. */
const OUTPUTS = [
  { path: 'docs/errors.md', source: 'packages/protocol', make: renderAllErrors },
  { path: 'docs/frames.md', source: 'packages/protocol', make: renderFrames },
  { path: 'docs/routes.md', source: 'packages/protocol', make: renderRoutes },
  {
    path: 'schemas/capability-manifest.schema.json',
    source: 'packages/documents',
    make: ({ MANIFEST_SCHEMA }) => publish(MANIFEST_SCHEMA),
  },
  {
    path: 'schemas/skill-descriptor.schema.json',
    source: 'packages/documents',
    entry: 'skill/index',
    make: ({ DESCRIPTOR_SCHEMA }) => publish(DESCRIPTOR_SCHEMA),
  },
  {
    path: 'schemas/bundle.schema.json',
    source: 'packages/documents',
    entry: 'bundle/index',
    make: ({ BUNDLE_SCHEMA }) => publish(BUNDLE_SCHEMA),
  },
];

/**
 * @param {ReadonlyMap<string, string>} fresh
 * @param {(path: string) => string | undefined} read
 * @returns {string[]}
 */
export function findStale(fresh, read) {
  return [...fresh].filter(([path, text]) => read(path) !== text).map(([path]) => path);
}

function build(projects) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b', ...projects], { cwd: ROOT, stdio: 'inherit' });
  return status === 0;
}

const PACKAGES = readdirSync(join(ROOT, 'packages'));

/** What each package exports, so that a change of it is seen in review. One that is only a program exports nothing. */
function makeApiPages() {
  return PACKAGES.flatMap((name) => {
    const read = (path) => readFileSync(join(ROOT, 'packages', name, path), 'utf8');
    const manifest = JSON.parse(read('package.json'));
    return manifest.exports === undefined ? [] : [[`docs/api/${name}.md`, renderApi(manifest, read)]];
  });
}

async function makeAll() {
  const fresh = new Map(makeApiPages());
  for (const { path, source, entry = 'index', make } of OUTPUTS) {
    fresh.set(path, await make(await importBuilt(source, entry)));
  }
  return fresh;
}

function readOutput(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

if (isMain(import.meta.url)) {
  if (!build([...new Set([...PACKAGES.map((name) => `packages/${name}`), ...ROOMS_WITH_ERRORS])])) process.exit(1);
  const fresh = await makeAll();
  const stale = findStale(fresh, readOutput);
  if (process.argv.includes('--check')) {
    reportErrors(
      'generate',
      stale.map((path) => `${path} is stale: run npm run generate`),
    );
  } else {
    for (const path of stale) {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), fresh.get(path));
    }
  }
  console.log(`generated files: ${fresh.size}, stale ${stale.length}`);
}
