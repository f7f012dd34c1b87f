import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPackage } from '@parley/base/node';

const { folder, name, version } = findPackage(import.meta.url);
/**
 * Everything that people run lies below one package, in a clone as where it is installed (PK-4). Bundled, this module
 * does, too; as source or compiled it lies in its neighbour.
 */
const CLI = name === '@parley/cli' ? folder : join(folder, '../cli');
const SERVER = join(CLI, 'dist/server');

export const LAYOUT = {
  version,
  /** The page. A server without it serves none. */
  site: join(CLI, 'dist/site'),
  /** The clone that this runs in. Only a clone has what the package is built with. */
  clone: existsSync(join(CLI, 'rolldown.config.ts')) ? join(CLI, '../..') : undefined,
};

export const programFile = (program: string) => join(SERVER, `${program}.js`);

export const manifestFile = (agent: string) => join(SERVER, `${agent}.json`);
