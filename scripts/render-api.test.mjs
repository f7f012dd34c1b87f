import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './files.mjs';
import { renderApi } from './render-api.mjs';

const MANIFEST = {
  name: '@parley/x',
  exports: { '.': { types: './dist/index.d.ts' }, './main': { default: './m.js' } },
};

function render(files) {
  return renderApi(MANIFEST, (path) => files[path] ?? expect.fail(`${path} was read`));
}

describe('HS-22 the report of what a package exports', () => {
  it('HS-22 shows the declaration behind each exported name, wherever it lies', () => {
    const page = render({
      'dist/index.d.ts': "export { type A, b as c } from './inner/a.ts';\nexport declare const d = 1;\n",
      'dist/inner/a.d.ts':
        '/** Words\n * of it. */\nexport interface A {\n    /** More. */\n    readonly x: string;\n}\nexport declare function b(): A;\nexport declare function b(x: string): A;\ninterface Hidden {\n}\n',
    });
    expect(page).toContain('interface A {\n    readonly x: string;\n}');
    expect(page).toContain('// Exported as c:\nfunction b(): A;\nfunction b(x: string): A;');
    expect(page).toContain('const d = 1;');
    expect(page).not.toContain('Words');
    expect(page).not.toContain('Hidden');
  });

  it('HS-22 shows what an exported declaration names, and what that names in turn', () => {
    const page = render({
      'dist/index.d.ts': "export { run } from './run.ts';\n",
      'dist/run.d.ts':
        "import type { Options } from './options.ts';\nexport declare function run(options: Options): void;\n",
      'dist/options.d.ts':
        'export interface Options {\n    limit: Limit;\n}\ninterface Limit {\n    most: number;\n}\n',
    });
    expect(page.slice(page.indexOf('Reachable:'))).toContain(
      'interface Limit {\n    most: number;\n}\ninterface Options',
    );
  });

  it('HS-22 names what comes from elsewhere, lists a namespace, and shortens a long table', () => {
    const table = `export declare const TABLE: {\n${'    readonly a: 1;\n'.repeat(80)}};\n`;
    const page = render({
      'dist/index.d.ts': `export { z } from 'zod';\nexport * as routes from './routes.ts';\n${table}`,
      'dist/routes.d.ts': 'export declare const list: 1;\nexport declare const get: 2;\n',
    });
    expect(page).toContain('// z: z of zod');
    expect(page).toContain('namespace routes { get, list }');
    expect(page).toContain('const TABLE: {\n    … 80 lines\n};');
  });

  it('HS-22 a name that is exported and declared nowhere stops the report', () => {
    expect(() => render({ 'dist/index.d.ts': 'export { gone };\n' })).toThrow('gone has no declaration');
  });

  it('HS-22 the page of every package has all its exports', async () => {
    const missing = [];
    for (const folder of readdirSync(join(ROOT, 'packages'))) {
      // One that is only a program exports nothing.
      if (folder === 'create-parley-agent') continue;
      const page = readFileSync(join(ROOT, `docs/api/${folder}.md`), 'utf8');
      const { name, exports } = JSON.parse(readFileSync(join(ROOT, `packages/${folder}/package.json`), 'utf8'));
      for (const subpath of Object.keys(exports)) {
        if (exports[subpath].types === undefined) continue;
        const values = Object.keys(await import(/* @vite-ignore */ posix.join(name, subpath)));
        missing.push(...values.filter((value) => !new RegExp(`\\b${value}\\b`).test(page)));
      }
    }
    expect(missing).toEqual([]);
  });
});
