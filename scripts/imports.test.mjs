// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources under test hold templates
import { describe, expect, it } from 'vitest';
import { readImports } from './imports.mjs';

describe('HS-2 no way of importing is overlooked', () => {
  it.each([
    ["import 'a'", 'static'],
    ["import x from 'a'", 'static'],
    ["import type from 'a'", 'static'],
    ["import { x as from } from 'a'", 'static'],
    ["import { type X } from 'a'", 'static'],
    ["import * as x from 'a'", 'static'],
    ["import x, { y } from 'a'", 'static'],
    ['import {\n  x,\n  y,\n} from "a"', 'static'],
    ["export * from 'a'", 'static'],
    ["export * as x from 'a'", 'static'],
    ["export { x } from 'a'", 'static'],
    ["import type { X } from 'a'", 'type'],
    ["import type X from 'a'", 'type'],
    ["export type { X } from 'a'", 'type'],
    ["export type * from 'a'", 'type'],
    ["const x = await import('a')", 'deferred'],
    ['const x = await import(`a`)', 'deferred'],
    ["let x: import('a').X", 'deferred'],
    ['`${await import("a")}`', 'deferred'],
  ])('%s', (source, kind) => {
    expect(readImports(source)).toEqual([{ specifier: 'a', kind, line: 1 }]);
  });

  it.each([
    'import.meta.url',
    "export const from = 'a'",
    "export { x };\nconst y = 'from'",
    "export type X = { from: 'a' }",
    "export class X {}\nconst y = 'a'",
    "// import 'a'",
    "const text = `import x from 'a'`",
    "loader.import('a')",
  ])('%s imports nothing', (source) => {
    expect(readImports(source)).toEqual([]);
  });

  it('starts anew with each statement', () => {
    const found = readImports("export class X {}\nimport y from 'a';\nexport { y }\nimport 'b'");
    expect(found.map(({ specifier, line }) => [specifier, line])).toEqual([
      ['a', 2],
      ['b', 4],
    ]);
  });

  it('reports a computed name as one it cannot read', () => {
    expect(readImports('import(name);\nimport(`./${name}.ts`)')).toEqual([
      { specifier: undefined, kind: 'deferred', line: 1 },
      { specifier: undefined, kind: 'deferred', line: 2 },
    ]);
  });
});
