import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { CONNECTIONS, MODELS } from '../src/choices.ts';
import { create, ROOT, useFolder } from './folder.ts';

const folder = useFolder();
beforeAll(() => prepare(ROOT, { install: false, quiet: true }));

test('PK-7 every program that it leaves passes the strict checks of TypeScript', async () => {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const connection of CONNECTIONS) {
    for (const model of MODELS) {
      const { code } = await create(folder, [`${connection}-${model}`, '--connection', connection, '--model', model]);
      expect(code).toBe(0);
    }
  }
  await create(folder, ['chinese', '--locale', 'zh-CN', '--yes']);
  const compilerOptions = {
    ...{ checkJs: true, allowJs: true, strict: true, noEmit: true, noUncheckedIndexedAccess: true },
    ...{ target: 'es2023', module: 'nodenext', types: ['node'], skipLibCheck: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.mjs'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const files = await promisify(execFile)(process.execPath, [compiler, '--listFilesOnly'], { cwd: folder });
  expect(files.stdout.match(/^.*parley-create-.*\.mjs$/gm)).toHaveLength(6 * 4 + 3 + 4);
  const { stdout } = await promisify(execFile)(process.execPath, [compiler], { cwd: folder }).catch((error) => error);
  expect(stdout).toBe('');
});
