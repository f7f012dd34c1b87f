import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Inside node_modules, so that removing node_modules by any means also removes the claim that it is complete.
const file = (root) => join(root, 'node_modules', '.parley-setup.json');

export function readStamp(root) {
  return readJson(file(root)) ?? {};
}

export function writeStamp(root, stamp) {
  const temporary = `${file(root)}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(stamp, null, 2)}\n`);
  renameSync(temporary, file(root));
}

export function removeStamp(root) {
  rmSync(file(root), { force: true });
}

export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
