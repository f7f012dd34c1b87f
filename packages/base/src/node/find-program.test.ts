import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-path-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(place: string, mode: number): string {
  mkdirSync(join(folder, place), { recursive: true });
  const file = join(folder, place, 'tool');
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}
const search = (...folders: string[]) => findProgram('tool', { PATH: folders.join(delimiter) });

describe('HS-20 findProgram', () => {
  it('HS-20 finds the first that can be run, and names its whole path', () => {
    const [one, two] = [install('one', 0o755), install('two', 0o755)];
    expect(search(join(folder, 'none'), join(folder, 'one'), join(folder, 'two'))).toBe(one);
    expect(search(join(folder, 'two'), join(folder, 'one'))).toBe(two);
  });

  it('HS-20 passes over what cannot be run: a file without the right to, and a folder', () => {
    install('text', 0o644);
    mkdirSync(join(folder, 'folders', 'tool'), { recursive: true });
    const real = install('real', 0o755);
    expect(search(join(folder, 'text'), join(folder, 'folders'), join(folder, 'real'))).toBe(real);
    expect(search(join(folder, 'text'), join(folder, 'folders'))).toBeUndefined();
  });

  it('HS-20 looks in no folder that depends on where someone is', () => {
    install('here', 0o755);
    expect(search(relative(process.cwd(), join(folder, 'here')))).toBeUndefined();
    expect(search('', '.')).toBeUndefined();
    expect(findProgram('tool', {})).toBeUndefined();
  });
});
