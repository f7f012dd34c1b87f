import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPackage } from './find-package.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-package-'));
  mkdirSync(join(folder, 'dist/deep'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (path: string, value: unknown) => writeFileSync(join(folder, path), JSON.stringify(value));
const find = (path: string) => findPackage(pathToFileURL(join(folder, path)).href);

describe('PK-4 findPackage', () => {
  it('PK-4 finds the nearest package that has a name', () => {
    write('package.json', { name: 'outer', version: '1.2.3' });
    expect(find('dist/deep/module.js')).toEqual({ folder, name: 'outer', version: '1.2.3' });
    write('dist/package.json', { type: 'commonjs' });
    expect(find('dist/deep/module.js').name).toBe('outer');
    write('dist/deep/package.json', { name: 'inner', version: '2.0.0' });
    expect(find('dist/deep/module.js')).toEqual({ folder: join(folder, 'dist/deep'), name: 'inner', version: '2.0.0' });
  });

  it('PK-4 a module outside of every package is a mistake of ours', () => {
    const { root } = parse(folder);
    expect(() => findPackage(pathToFileURL(join(root, 'module.js')).href)).toThrow(TypeError);
  });
});
