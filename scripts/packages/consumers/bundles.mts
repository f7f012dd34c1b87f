import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestFiles, type KitFile, readFolder } from '@parley/bundles';

const folder = await mkdtemp(join(tmpdir(), 'parley-bundles-'));
await writeFile(join(folder, 'a.txt'), 'a');
const files: KitFile[] = await readFolder(folder);
await rm(folder, { recursive: true });
if (files[0]?.path !== 'a.txt' || digestFiles(files) === digestFiles([])) throw new Error('it was not read');
