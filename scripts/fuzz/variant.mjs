import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../files.mjs';

const ENGINE = join(ROOT, 'packages', 'documents', 'dist');
/** Inside `node_modules`, so that what the engine imports by name is found from there; another process has its own. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'parley-variants', String(process.pid));

/** The built engine, or a copy of it with one text replaced. */
export async function loadEngine(variant) {
  const folder = variant === undefined ? ENGINE : makeVariant(variant);
  const load = (path) => import(pathToFileURL(join(folder, 'schema', path)).href);
  const [{ createSchemaDiff }, { readSchema }, { compileCheck }] = await Promise.all(
    ['diff/index.js', 'read.js', 'evaluate.js'].map(load),
  );
  return { createSchemaDiff, readSchema, compileCheck };
}

function makeVariant({ id, file, find, replace }) {
  const folder = join(CACHE, id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(ENGINE, folder, { recursive: true, filter: (path) => !/\.(map|d\.ts)$/.test(path) });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const path = join(folder, 'schema', file);
  const source = readFileSync(path, 'utf8');
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${id}: the text to replace occurs ${parts.length - 1} times in ${file}`);
  writeFileSync(path, parts.join(replace));
  return folder;
}

export function removeVariants() {
  rmSync(CACHE, { recursive: true, force: true });
}
