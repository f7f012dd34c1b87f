// PK-1: what `npm pack` and `npm publish` run in the folder of a package before they read it. Safe for several at once.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from '../files.mjs';
import { ensureReady } from '../setup.mjs';

const OUTPUT = /\.(?:js|d\.ts)(?:\.map)?$/;

/** The compiler leaves what it made of a source that is gone. Where sources are packed, each output has one. */
function removeOrphans(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!files.includes('src')) return;
  for (const entry of readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !OUTPUT.test(entry.name)) continue;
    const output = join(entry.parentPath, entry.name);
    const source = join(folder, 'src', output.slice(join(folder, 'dist').length)).replace(OUTPUT, '.ts');
    if (!existsSync(source)) rmSync(output, { force: true });
  }
}

/** Written beside and put in place in one step: another process may be packing. */
function copyLicence(folder) {
  const licence = readFileSync(join(ROOT, 'LICENSE'));
  const target = join(folder, 'LICENSE');
  if (existsSync(target) && readFileSync(target).equals(licence)) return;
  const draft = join(folder, `LICENSE.${process.pid}`);
  writeFileSync(draft, licence);
  renameSync(draft, target);
}

/** What is built, in the form in which it is packed. */
export function preparePackage(folder) {
  removeOrphans(folder);
  copyLicence(folder);
}

if (isMain(import.meta.url)) {
  await ensureReady({ install: false, quiet: true });
  preparePackage(process.cwd());
}
