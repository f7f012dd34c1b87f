import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeWhole } from '@parley/base/node';
import { serverError } from '../../errors.ts';

/** The user that Postgres runs as where we are root, because it refuses to run as root. */
export interface RunAs {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

const NAMES = ['postgres', 'parley'];
const HOME = '/var/lib/parley';

/** Returns undefined unless we are root. */
export function findRunAs(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = NAMES.map(lookUp).find((user) => user !== undefined) ?? createUser() ?? lookUp('nobody');
  if (found === undefined) throw serverError('POSTGRES_NO_USER');
  return found;
}

function lookUp(name: string): RunAs | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { name, uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createUser(): RunAs | undefined {
  try {
    const options = ['--system', '--user-group', '--no-create-home', '--home-dir', HOME, '--shell', '/bin/false'];
    execFileSync('useradd', [...options, 'parley'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return lookUp('parley');
}

/**
 * Chooses where Postgres keeps its data: below the data folder, or, if its user cannot get there (a clone in root's own
 * home), below /var/lib/parley. The choice is noted, so that it never changes under existing data.
 */
export function chooseDataFolder(folder: string, runAs: RunAs | undefined): string {
  if (runAs === undefined) return folder;
  const note = join(folder, 'postgres-place');
  // An empty file is what a crash can leave of one.
  const noted = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  if (noted !== '') return noted;
  chmodSync(folder, 0o711);
  if (canPass(folder, runAs)) return folder;
  const dataFolder = join(HOME, randomBytes(6).toString('hex'));
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o711 });
  } catch {
    throw serverError('POSTGRES_UNREACHABLE', { params: { folder, user: runAs.name } });
  }
  if (!canPass(dataFolder, runAs)) throw serverError('POSTGRES_UNREACHABLE', { params: { folder, user: runAs.name } });
  writeWhole(note, `${dataFolder}\n`);
  return dataFolder;
}

/** May this user enter the folder and all its parents? */
export function canPass(folder: string, { uid, gid }: RunAs): boolean {
  const { mode, uid: owner, gid: group } = statSync(folder);
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(folder);
  return parent === folder || canPass(parent, { name: '', uid, gid });
}
