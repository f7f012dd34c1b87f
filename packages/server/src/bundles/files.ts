import { buildMirrorIndex, digestFiles, type KitFile, type MirrorIndex } from '@parley/bundles';
import { foldPath, isSafePath } from '@parley/documents/bundle';
import { sql } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';

export interface UploadedFile {
  readonly path: string;
  readonly data: string;
  readonly executable?: boolean;
}

/** Reads the uploaded files. Paths that could name another file on some system are refused (BV-4). */
export function readFiles(kit: string, files: readonly UploadedFile[]): KitFile[] {
  const refuse = (reason: string) => new RequestError('MIRROR_INVALID', { kit, reason });
  if (files.some(({ path }) => !isSafePath(path))) throw refuse('a path is not safe');
  if (new Set(files.map(({ path }) => foldPath(path))).size < files.length)
    throw refuse('two paths are the same file on some systems');
  return files.map(({ path, data, executable = false }) => ({ path, bytes: Buffer.from(data, 'base64'), executable }));
}

/** Stores each content once, for whoever uploaded it first, and returns the index of the files. */
export async function storeFiles(
  trx: Trx,
  files: readonly KitFile[],
  ownerId: string | null,
): Promise<{ index: MirrorIndex; digest: string }> {
  const index = buildMirrorIndex(files);
  const rows = new Map(index.files.map(({ sha256 }, at) => [sha256, Buffer.from(files[at]!.bytes)]));
  if (rows.size > 0) {
    await sql`
      insert into kit_files (sha256, data, owner_id)
      select *, ${ownerId}::uuid from unnest(${[...rows.keys()]}::text[], ${[...rows.values()]}::bytea[])
      on conflict do nothing`.execute(trx);
  }
  return { index, digest: `sha256:${digestFiles(files)}` };
}

/** Throws NOT_FOUND for a path that is not in the index, whatever else is stored. */
export async function readFile(db: Db, index: MirrorIndex | undefined, path: string) {
  const entry = index?.files.find((file) => file.path === path);
  if (entry === undefined) throw new RequestError('NOT_FOUND');
  const { data } = await db
    .selectFrom('kit_files')
    .select('data')
    .where('sha256', '=', entry.sha256)
    .executeTakeFirstOrThrow();
  return { data, sha256: entry.sha256 };
}

/** Reads all files of the index; each content is read once. */
export async function readAll(db: Db, { files }: MirrorIndex): Promise<KitFile[]> {
  if (files.length === 0) return [];
  const digests = [...new Set(files.map(({ sha256 }) => sha256))];
  const rows = await db.selectFrom('kit_files').selectAll().where('sha256', 'in', digests).execute();
  const contents = new Map(rows.map(({ sha256, data }) => [sha256, data]));
  return files.map(({ path, executable, sha256 }) => ({ path, executable, bytes: contents.get(sha256)! }));
}
