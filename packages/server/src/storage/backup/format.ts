import type { Sequence, Table } from './schema.ts';

// A backup is a gzipped tar archive: `manifest.json`, then the rows of each table as COPY writes them, in parts, then
// the jobs, perhaps `secrets.json` and the keystores of the server's own agents, and at the end `checksums.json`, without which it is incomplete.

export const MANIFEST = 'manifest.json';
export const CHECKSUMS = 'checksums.json';
export const SECRETS = 'secrets.json';
export const JOBS = 'jobs';
export const KEYSTORES = 'keystores/';
export const FORMAT = 'parley-backup/1';

export interface Manifest {
  readonly format: string;
  readonly parley_version: string;
  readonly created_at: string;
  readonly migrations: readonly string[];
  readonly tables: readonly Table[];
  readonly sequences: readonly Sequence[];
}

/** SHA-256 of every file before it, by path. */
export type Checksums = Readonly<Record<string, string>>;

export const partPath = (folder: string, part: number) => `${folder}/${String(part).padStart(6, '0')}.copy`;
export const tableFolder = (name: string) => `tables/${name}`;
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
