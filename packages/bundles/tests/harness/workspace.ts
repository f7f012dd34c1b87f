import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function makeFolder(files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-bundles-'));
  folders.push(root);
  fill(root, files);
  return root;
}

/** Files of a year ago, so that a touched one shows. */
function fill(root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    utimesSync(join(root, path), 1_700_000_000, 1_700_000_000.5);
  }
}

/** What a person has before anything is installed. */
export const PERSONS: Record<string, string> = {
  'AGENTS.md': '# Mine\n\nBe kind.\n',
  'SOUL.md': 'No newline at the end',
  'TOOLS.md': '',
  'notes/todo.txt': 'milk\n',
  'skills/own/SKILL.md': '---\nname: own\n---\n',
};

/** A whole tree: kinds, modes, times of change and contents of everything in it. */
export function takePicture(root: string): Record<string, string> {
  const picture: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      const stats = lstatSync(join(root, path));
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) {
        picture[path] = `folder ${mode}`;
        walk(path);
      } else if (stats.isSymbolicLink()) picture[path] = `link ${readlinkSync(join(root, path))}`;
      else {
        const digest = createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex')
          .slice(0, 16);
        picture[path] = `file ${mode} ${digest} ${stats.mtimeMs} links ${stats.nlink}`;
      }
    }
  };
  walk('');
  return picture;
}

/** The same without times, and without what differs from run to run: for comparing two installations. */
export function takeOutline(root: string): Record<string, string> {
  const outline: Record<string, string> = {};
  for (const [path, what] of Object.entries(takePicture(root))) {
    if (path.startsWith('.roleos/snapshots/')) continue;
    outline[path] = path === '.roleos/state.json' ? 'state' : what.replace(/ [\d.]+ links/, ' links');
  }
  return outline;
}
